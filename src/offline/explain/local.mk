# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/explain/explain.c src/offline/explain/explain.h
libagentsh_a_SOURCES += src/offline/explain/explain_option.c src/offline/explain/explain_args.h
libagentsh_a_SOURCES += src/offline/explain/explain_call.c
libagentsh_a_SOURCES += src/offline/explain/explain_shell.c
libagentsh_a_SOURCES += src/offline/explain/explain_script.c
libagentsh_a_SOURCES += src/offline/explain/explain_guess.c
libagentsh_a_SOURCES += src/offline/explain/explain_print.c
libagentsh_a_SOURCES += src/offline/explain/explain_sentence.c
libagentsh_a_SOURCES += src/offline/explain/explain_phrase.c
libagentsh_a_SOURCES += src/offline/explain/explain_state.h
libagentsh_a_SOURCES += src/offline/explain/explain_parts.c src/offline/explain/explain_fact.h
libagentsh_a_SOURCES += src/offline/explain/explain_template.c
libagentsh_a_SOURCES += src/offline/explain/explain_phrase.h
libagentsh_a_SOURCES += src/offline/explain/explain_risk.c
libagentsh_a_SOURCES += src/offline/explain/explain_value.c
libagentsh_a_SOURCES += src/offline/explain/explain_awk.c
libagentsh_a_SOURCES += src/offline/explain/explain_language.h
libagentsh_a_SOURCES += src/offline/explain/explain_sed.c

UNIT_TESTS += tests/unit/test_explain
tests_unit_test_explain_SOURCES = tests/unit/test_explain.c
tests_unit_test_explain_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_explain_LDADD = $(UNIT_LIBS)
EXTRA_DIST += tests/data/man/man1/spin.1 \
	tests/data/man/man1/spin-fast.1 \
	tests/data/man/man1/spin-keygen.1 \
	tests/data/man/man1/whirl.1 \
	tests/data/man/man8/turnctl.8

FUZZERS += tests/fuzz/fuzz_explain
tests_fuzz_fuzz_explain_SOURCES = tests/fuzz/fuzz_explain.c
tests_fuzz_fuzz_explain_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/explain/line-1 \
	tests/fuzz/corpus/explain/line-2 \
	tests/fuzz/corpus/explain/line-3 \
	tests/fuzz/corpus/explain/line-4 \
	tests/fuzz/corpus/explain/line-5 \
	tests/fuzz/corpus/explain/line-6 \
	tests/fuzz/corpus/explain/open

UNIT_TESTS += tests/unit/test_explain_view
tests_unit_test_explain_view_SOURCES = tests/unit/test_explain_view.c
tests_unit_test_explain_view_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_explain_view_LDADD = $(UNIT_LIBS)

check_PROGRAMS += tests/offline/print_parts
tests_offline_print_parts_SOURCES = tests/offline/print_parts.c
tests_offline_print_parts_LDADD = $(FRONT_LIBS)
TESTS += tests/offline/options.py
EXTRA_DIST += tests/offline/options.py

UNIT_TESTS += tests/unit/test_explain_flow
tests_unit_test_explain_flow_SOURCES = tests/unit/test_explain_flow.c
tests_unit_test_explain_flow_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_explain_flow_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_explain_language
tests_unit_test_explain_language_SOURCES = tests/unit/test_explain_language.c
tests_unit_test_explain_language_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_explain_language_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_language
tests_fuzz_fuzz_language_SOURCES = tests/fuzz/fuzz_language.c
tests_fuzz_fuzz_language_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/language/awk-1
EXTRA_DIST += tests/fuzz/corpus/language/awk-2
EXTRA_DIST += tests/fuzz/corpus/language/awk-3
EXTRA_DIST += tests/fuzz/corpus/language/sed-1
EXTRA_DIST += tests/fuzz/corpus/language/sed-2
EXTRA_DIST += tests/fuzz/corpus/language/sed-3

UNIT_TESTS += tests/unit/test_explain_summary
tests_unit_test_explain_summary_SOURCES = tests/unit/test_explain_summary.c
tests_unit_test_explain_summary_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_explain_summary_LDADD = $(UNIT_LIBS)
