# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/offline/explain/explain.c src/offline/explain/explain.h \
	src/offline/explain/explain_args.h \
	src/offline/explain/explain_awk.c \
	src/offline/explain/explain_call.c \
	src/offline/explain/explain_fact.h \
	src/offline/explain/explain_guess.c \
	src/offline/explain/explain_language.h \
	src/offline/explain/explain_option.c \
	src/offline/explain/explain_parts.c \
	src/offline/explain/explain_phrase.c \
	src/offline/explain/explain_phrase.h \
	src/offline/explain/explain_print.c \
	src/offline/explain/explain_risk.c \
	src/offline/explain/explain_script.c \
	src/offline/explain/explain_sed.c \
	src/offline/explain/explain_sentence.c \
	src/offline/explain/explain_shell.c \
	src/offline/explain/explain_expansion.c \
	src/offline/explain/explain_condition.c \
	src/offline/explain/explain_state.h \
	src/offline/explain/explain_template.c \
	src/offline/explain/explain_value.c

UNIT_TESTS += \
	tests/unit/test_explain \
	tests/unit/test_explain_flow \
	tests/unit/test_explain_language \
	tests/unit/test_explain_summary \
	tests/unit/test_explain_view
EXTRA_DIST += tests/data/man/man1/spin.1 \
	tests/data/man/man1/spin-fast.1 \
	tests/data/man/man1/spin-keygen.1 \
	tests/data/man/man1/whirl.1 \
	tests/data/man/man8/turnctl.8

FUZZERS += tests/fuzz/fuzz_explain tests/fuzz/fuzz_explain_language

check_PROGRAMS += tests/offline/print_parts
tests_offline_print_parts_SOURCES = tests/offline/print_parts.c
tests_offline_print_parts_LDADD = $(FRONT_LIBS)
SCRIPT_TESTS += tests/offline/options.py

