# SPDX-License-Identifier: GPL-3.0-or-later
# make check: unit tests and fuzz corpora (programs), .bats (command line),
# .py (terminal), .sh (checks of the source itself). All speak TAP.
if HAVE_CMOCKA
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif

# A fuzz target: FUZZERS += tests/fuzz/fuzz_x; its corpus is tests/fuzz/corpus/x.
# make check replays the corpora; make fuzz, in a build configured with
# --enable-fuzz CC=clang, looks for new inputs, FUZZ_SECONDS for each target.
check_PROGRAMS += $(FUZZERS)
FUZZ_SECONDS = 60
FUZZ_FLAGS = -rss_limit_mb=1024 -timeout=10 -max_len=65536 -print_final_stats=1
if FUZZ
fuzz: $(BUILT_SOURCES)
	@$(MAKE) $(AM_MAKEFLAGS) $(FUZZERS)
	@$(SHELL) $(top_srcdir)/tests/fuzz/run.sh '$(abs_top_srcdir)' \
	    '$(FUZZ_SECONDS)' '$(FUZZ_FLAGS)' $(FUZZERS)
else
TESTS += $(FUZZERS)
check_LIBRARIES = tests/fuzz/libreplay.a
tests_fuzz_libreplay_a_SOURCES = tests/fuzz/replay.c
fuzz:
	@echo 'make fuzz needs a build configured with --enable-fuzz CC=clang' >&2
	@exit 1
endif
.PHONY: fuzz
EXTRA_DIST += tests/fuzz/corpus

# Scripts, by the ending of their names.
TESTS += $(SCRIPT_TESTS)
EXTRA_DIST += $(SCRIPT_TESTS)
# .ground: a unit test that tools/ground.mk made.
TEST_EXTENSIONS = .bats .ground .py .sh
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
BATS_LOG_DRIVER = $(TAP_DRIVER)
GROUND_LOG_DRIVER = $(TAP_DRIVER)
PY_LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)
# A test that hangs is ended, and fails, after this many seconds. No test sees
# the signals that are ignored where make runs, as below nohup.
TEST_LIMIT = 600
TEST_RUN = $(DEFAULT_SIGNALS) timeout -k 10 $(TEST_LIMIT)
LOG_COMPILER = $(TEST_RUN)
GROUND_LOG_COMPILER = $(TEST_RUN)
SKIP_TEST = $(SHELL) $(top_srcdir)/tests/lib/skip.sh
if HAVE_BATS
BATS_LOG_COMPILER = $(TEST_RUN) $(BATS)
AM_BATS_LOG_FLAGS = --tap
else
BATS_LOG_COMPILER = $(SKIP_TEST)
AM_BATS_LOG_FLAGS = 'bats is not here'
endif
if HAVE_PEXPECT
PY_LOG_COMPILER = $(TEST_RUN) $(PYTHON3)
else
PY_LOG_COMPILER = $(SKIP_TEST)
AM_PY_LOG_FLAGS = 'python3 with pexpect is not here'
endif
SH_LOG_COMPILER = $(TEST_RUN) $(SHELL)
# No test sees the keys, the settings or the home of the person who runs it.
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	PYTHON3='$(PYTHON3)'; export PYTHON3; \
	PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE; \
	HOME='$(abs_top_builddir)/tests/home'; export HOME; \
	$(MKDIR_P) "$$HOME"; \
	unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME \
	    XDG_RUNTIME_DIR OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY \
	    ANTHROPIC_BASE_URL GEMINI_API_KEY GOOGLE_API_KEY GEMINI_BASE_URL \
	    OLLAMA_HOST AGENTSH_PROVIDER AGENTSH_MODEL AGENTSH_PLUGIN_PATH \
	    http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy \
	    no_proxy NO_PROXY NO_COLOR ENV BASH_ENV;
if SANITIZE
AM_TESTS_ENVIRONMENT += \
	ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:malloc_context_size=10; \
	UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1; \
	export ASAN_OPTIONS UBSAN_OPTIONS;
endif
distclean-local:
	rm -rf tests/home fuzz-found fuzz-crash
EXTRA_DIST += tests/unit/own_dir.h tests/unit/pages.h tests/unit/unit.h tests/unit/unit_seat.h tests/unit/unit_select.h tests/fuzz/replay.c tests/fuzz/run.sh \
	tests/lib/skip.sh

SCRIPT_TESTS += \
	tests/check/defaults.sh \
	tests/check/layers.sh \
	tests/check/messages.sh \
	tests/check/places.sh \
	tests/check/plain.sh \
	tests/check/prose.sh \
	tests/check/settings.sh \
	tests/check/structure.py \
	tests/check/style.sh \
	tests/check/words.py \
	tests/cli/ai-name.bats \
	tests/cli/bootstrap.bats \
	tests/cli/deb-source.bats \
	tests/cli/dist-date.bats \
	tests/offline/test_plans.py \
	tests/offline/test_tries.py \
	tests/offline/test_wishes.py

EXTRA_DIST += tests/offline/lines.txt tests/offline/plans \
	tests/offline/tries tests/offline/wishes
EXTRA_DIST += \
	tests/check/layers.awk tests/check/code.awk tests/check/prose.awk \
	tests/check/places.awk tests/check/style.awk tests/check/tap.sh \
	tests/check/csource.py
check_PROGRAMS += tests/check/print_tables
tests_check_print_tables_SOURCES = tests/check/print_tables.c
tests_check_print_tables_LDADD = $(FRONT_LIBS)

EXTRA_DIST += tests/fresh/machine.sh
