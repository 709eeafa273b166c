# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/record/chain.c src/record/chain.h
libagentsh_a_SOURCES += src/record/history.c src/record/history.h
libagentsh_a_SOURCES += src/record/journal.c src/record/journal.h
libagentsh_a_SOURCES += src/record/journal_body.c
libagentsh_a_SOURCES += src/record/journal_in.h
libagentsh_a_SOURCES += src/record/journal_run.c
libagentsh_a_SOURCES += src/record/keep.c src/record/keep.h
libagentsh_a_SOURCES += src/record/ledger.c src/record/ledger.h
libagentsh_a_SOURCES += src/record/lost.c src/record/lost.h
libagentsh_a_SOURCES += src/record/place.c src/record/place.h
libagentsh_a_SOURCES += src/record/sqlite_calls.c src/record/sqlite_calls.h
libagentsh_a_SOURCES += src/record/store.c src/record/store.h
libagentsh_a_SOURCES += src/record/verify.c src/record/verify.h

EXTRA_DIST += tests/unit/record.h

# The tests open the file beside the journal, as any program could.
RECORD_TEST_LIBS = $(UNIT_LIBS) $(SQLITE_LIBS)

UNIT_TESTS += tests/unit/test_journal
tests_unit_test_journal_SOURCES = tests/unit/test_journal.c
tests_unit_test_journal_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_LDADD = $(RECORD_TEST_LIBS)

UNIT_TESTS += tests/unit/test_journal_at_once
tests_unit_test_journal_at_once_SOURCES = tests/unit/test_journal_at_once.c
tests_unit_test_journal_at_once_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_at_once_LDADD = $(RECORD_TEST_LIBS)

UNIT_TESTS += tests/unit/test_journal_chain
tests_unit_test_journal_chain_SOURCES = tests/unit/test_journal_chain.c
tests_unit_test_journal_chain_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_chain_LDADD = $(RECORD_TEST_LIBS)

UNIT_TESTS += tests/unit/test_journal_trouble
tests_unit_test_journal_trouble_SOURCES = tests/unit/test_journal_trouble.c
tests_unit_test_journal_trouble_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_trouble_LDADD = $(RECORD_TEST_LIBS)

TESTS += tests/cli/log.bats
EXTRA_DIST += tests/cli/log.bats
EXTRA_DIST += tests/tty/test_journal_kill.py
EXTRA_DIST += tests/tty/test_log.py
if HAVE_PEXPECT
TESTS += tests/tty/test_log.py
TESTS += tests/tty/test_journal_kill.py
endif

FUZZERS += tests/fuzz/fuzz_row
tests_fuzz_fuzz_row_SOURCES = tests/fuzz/fuzz_row.c
tests_fuzz_fuzz_row_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/row
