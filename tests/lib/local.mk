# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests share: a model server that goes wrong on demand, a clean
# home, a terminal, TAP.
EXTRA_DIST += \
	tests/lib/common.bash tests/lib/fault/__init__.py \
	tests/lib/fault/answer.py tests/lib/fault/calls.py \
	tests/lib/fault/exchange.py tests/lib/fault/framing.py \
	tests/lib/fault/http1.py tests/lib/fault/params.py \
	tests/lib/fault/proxy.py tests/lib/fault/script.py \
	tests/lib/fault/reasoned.py \
	tests/lib/fault/server.py tests/lib/fault/status.py \
	tests/lib/fault/table.py tests/lib/fault/texts.py \
	tests/lib/fault/tls.py tests/lib/fault/transport.py \
	tests/lib/fault/wire.py tests/lib/fault/wire_anthropic.py \
	tests/lib/fault/wire_gemini.py tests/lib/fault/wire_ollama.py \
	tests/lib/fault/wire_openai.py tests/lib/faultserver.py \
	tests/lib/home.py tests/lib/keptserver.js tests/lib/listener.py \
	tests/lib/piped.py tests/lib/review.py tests/lib/sudoer.py \
	tests/lib/tap.py tests/lib/usage.py \
	tests/lib/terminal.py tests/lib/wireclient.py

# A model server that samples the schema that it is sent.
EXTRA_DIST += \
	tests/lib/schema/__init__.py tests/lib/schema/rules.py \
	tests/lib/schema/sampler.py tests/lib/schema/server.py \
	tests/lib/schema/services.py tests/lib/schema/tally.py \
	tests/lib/schema/wires.py tests/lib/schemaserver.py
SCRIPT_TESTS += tests/lib/test_schemaserver.py

# What today's services refuse, turns of many blocks.
EXTRA_DIST += tests/lib/fault/blocks.py tests/lib/fault/refusals.py

SCRIPT_TESTS += tests/tty/test_answers.py

SCRIPT_TESTS += \
	tests/lib/test_faultserver.py \
	tests/tty/test_cancel.py \
	tests/tty/test_cost.py \
	tests/tty/test_faults.py \
	tests/tty/test_discovered.py \
	tests/tty/test_wire.py

# `ai` against it.
EXTRA_DIST += tests/tty/faults.py

# The peer of the benchmarks.
check_PROGRAMS += tests/lib/fastserver
tests_lib_fastserver_SOURCES = tests/lib/fastserver.c
tests_lib_fastserver_LDADD = libagentsh.a
