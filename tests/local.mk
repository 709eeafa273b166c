# SPDX-License-Identifier: GPL-3.0-or-later
# make check: unit tests and fuzz corpora (programs), .bats (command line),
# .py (terminal), .sh (checks of the source itself). All speak TAP.
if HAVE_CMOCKA
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif
check_PROGRAMS += $(FUZZERS)
if !FUZZ
TESTS += $(FUZZERS)
endif

TEST_EXTENSIONS = .bats .py .sh
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
BATS_LOG_DRIVER = $(TAP_DRIVER)
PY_LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)
BATS_LOG_COMPILER = $(BATS)
AM_BATS_LOG_FLAGS = --tap
PY_LOG_COMPILER = $(PYTHON3)
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	PYTHON3='$(PYTHON3)'; export PYTHON3;
EXTRA_DIST += tests/unit/unit.h tests/fuzz/replay.c
