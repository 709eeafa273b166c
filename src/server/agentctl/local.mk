# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/agentctl/agentctl.c src/server/agentctl/agentctl.h \
	src/server/agentctl/agentctl_agent.c \
	src/server/agentctl/agentctl_agent.h \
	src/server/agentctl/agentctl_answer.c \
	src/server/agentctl/agentctl_answer.h \
	src/server/agentctl/agentctl_calls.c \
	src/server/agentctl/agentctl_calls.h \
	src/server/agentctl/agentctl_listeners.c \
	src/server/agentctl/agentctl_listeners.h \
	src/server/agentctl/agentctl_message.c \
	src/server/agentctl/agentctl_message.h \
	src/server/agentctl/agentctl_output.c \
	src/server/agentctl/agentctl_output.h \
	src/server/agentctl/agentctl_process.c \
	src/server/agentctl/agentctl_process.h \
	src/server/agentctl/agentctl_questions.c \
	src/server/agentctl/agentctl_questions.h \
	src/server/agentctl/agentctl_request.c \
	src/server/agentctl/agentctl_request.h \
	src/server/agentctl/agentctl_settings.c \
	src/server/agentctl/agentctl_settings.h \
	src/server/agentctl/agentctl_words.c \
	src/server/agentctl/agentctl_words.h

bin_PROGRAMS += agentctl
agentctl_SOURCES = src/server/agentctl_main.c
agentctl_LDADD = $(FRONT_LIBS)

UNIT_TESTS += tests/unit/test_agentctl
SCRIPT_TESTS += tests/agentctl/test_calls.py tests/agentctl/test_process.py
FUZZERS += tests/fuzz/fuzz_agentctl
EXTRA_DIST += tests/agentctl/fake_agent.py tests/agentctl/sidecar.py \
	tests/agentctl/soak.py tests/agentctl/script_agent.sh
