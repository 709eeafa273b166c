# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/record/database.c src/record/database.h \
	src/record/gateway_rows.c src/record/gateway_rows.h \
	src/record/gateway_statement.h \
	src/record/gateway_store.c src/record/gateway_store.h \
	src/record/journal.c src/record/journal.h \
	src/record/journal_event.c src/record/journal_event.h \
	src/record/journal_file.c src/record/journal_file.h \
	src/record/journal_path.c src/record/journal_path.h \
	src/record/journal_read.c src/record/journal_read.h \
	src/record/journal_verify.c src/record/journal_verify.h \
	src/record/journal_writer.c src/record/journal_writer.h \
	src/record/ledger.c src/record/ledger.h \
	src/record/log_batch.c src/record/log_batch.h \
	src/record/owner_lock.c src/record/owner_lock.h \
	src/record/retention.c src/record/retention.h \
	src/record/session_cursor.c src/record/session_cursor.h \
	src/record/session_id.c src/record/session_id.h \
	src/record/session_store.c src/record/session_store.h \
	src/record/session_text.c src/record/session_text.h \
	src/record/session_writer.c src/record/session_writer.h \
	src/record/shell_file.c src/record/shell_file.h \
	src/record/shell_session.c src/record/shell_session.h \
	src/record/spaces_rows.c src/record/spaces_rows.h \
	src/record/spaces_store.c src/record/spaces_store.h \
	src/record/sqlite.c src/record/sqlite.h

EXTRA_DIST += tests/unit/record.h tests/unit/sessions.h

# The tests open the file beside the journal, as any program could.
RECORD_TEST_LIBS = $(LDADD) $(SQLITE_LIBS)

UNIT_TESTS += \
	tests/unit/test_gateway_store \
	tests/unit/test_journal \
	tests/unit/test_journal_at_once \
	tests/unit/test_journal_chain \
	tests/unit/test_journal_runs \
	tests/unit/test_journal_store_now \
	tests/unit/test_shell_file \
	tests/unit/test_journal_shared \
	tests/unit/test_journal_trouble \
	tests/unit/test_log_batch \
	tests/unit/test_session_at_once \
	tests/unit/test_session_list \
	tests/unit/test_session_store \
	tests/unit/test_session_writer \
	tests/unit/test_shell_session \
	tests/unit/test_spaces_store
tests_unit_test_gateway_store_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_gateway_store_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_journal_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_journal_at_once_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_at_once_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_journal_chain_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_chain_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_journal_runs_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_runs_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_journal_store_now_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_store_now_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_journal_shared_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_shared_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_journal_trouble_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_journal_trouble_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_log_batch_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_log_batch_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_session_at_once_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_session_at_once_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_session_list_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_session_list_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_session_store_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_session_store_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_session_writer_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_session_writer_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_shell_session_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_shell_session_LDADD = $(RECORD_TEST_LIBS)

tests_unit_test_spaces_store_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_spaces_store_LDADD = $(RECORD_TEST_LIBS)

SCRIPT_TESTS += tests/cli/log.bats
SCRIPT_TESTS += tests/tty/test_log.py tests/tty/test_journal_kill.py

FUZZERS += tests/fuzz/fuzz_row tests/fuzz/fuzz_session_cursor
