# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/record/journal.c src/record/journal.h \
	src/record/journal_path.c src/record/journal_path.h \
	src/record/journal_read.c src/record/journal_read.h \
	src/record/journal_verify.c src/record/journal_verify.h \
	src/record/ledger.c src/record/ledger.h \
	src/record/retention.c src/record/retention.h \
	src/record/sqlite.c src/record/sqlite.h

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
