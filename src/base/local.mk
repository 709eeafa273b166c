# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/base/acl.c src/base/acl.h \
	src/base/array.h \
	src/base/ascii.h \
	src/base/buf.c src/base/buf.h \
	src/base/children.c src/base/children.h \
	src/base/cleanup.h \
	src/base/clock.c src/base/clock.h \
	src/base/diff.c src/base/diff.h \
	src/base/environ_names.c src/base/environ_names.h \
	src/base/err.c src/base/err.h \
	src/base/fd.c src/base/fd.h \
	src/base/file.c src/base/file.h \
	src/base/linebuf.c src/base/linebuf.h \
	src/base/linux_calls.h \
	src/base/log.c src/base/log.h \
	src/base/loop.c src/base/loop.h \
	src/base/outqueue.c src/base/outqueue.h \
	src/base/own_group.c src/base/own_group.h \
	src/base/owner.c src/base/owner.h \
	src/base/path.c src/base/path.h \
	src/base/proc.c src/base/proc.h \
	src/base/redact.c src/base/redact.h \
	src/base/redact_find.h \
	src/base/redact_name.c \
	src/base/redact_token.c \
	src/base/secret_file.c src/base/secret_file.h \
	src/base/secret_name.c src/base/secret_name.h \
	src/base/sha256.c src/base/sha256.h \
	src/base/shell_quote.c src/base/shell_quote.h \
	src/base/size.c src/base/size.h \
	src/base/str.c src/base/str.h \
	src/base/utf8.c src/base/utf8.h

UNIT_TESTS += tests/unit/test_base tests/unit/test_proc tests/unit/test_loop
UNIT_TESTS += tests/unit/test_buf
tests_unit_test_buf_SOURCES = tests/unit/test_buf.c
tests_unit_test_buf_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_buf_LDADD = $(UNIT_LIBS)
tests_unit_test_base_SOURCES = tests/unit/test_base.c
tests_unit_test_base_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_base_LDADD = $(UNIT_LIBS)
tests_unit_test_proc_SOURCES = tests/unit/test_proc.c
tests_unit_test_proc_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_proc_LDADD = $(UNIT_LIBS)
tests_unit_test_loop_SOURCES = tests/unit/test_loop.c
tests_unit_test_loop_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_loop_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_proc_job
tests_unit_test_proc_job_SOURCES = tests/unit/test_proc_job.c
tests_unit_test_proc_job_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_proc_job_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_owner
tests_unit_test_owner_SOURCES = tests/unit/test_owner.c
tests_unit_test_owner_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_owner_LDADD = $(UNIT_LIBS)
FUZZERS += tests/fuzz/fuzz_owner
tests_fuzz_fuzz_owner_SOURCES = tests/fuzz/fuzz_owner.c
tests_fuzz_fuzz_owner_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/owner

UNIT_TESTS += tests/unit/test_redact
tests_unit_test_redact_SOURCES = tests/unit/test_redact.c
tests_unit_test_redact_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_redact_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_redact_plain
tests_unit_test_redact_plain_SOURCES = tests/unit/test_redact_plain.c
tests_unit_test_redact_plain_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_redact_plain_LDADD = $(UNIT_LIBS)
FUZZERS += tests/fuzz/fuzz_redact
tests_fuzz_fuzz_redact_SOURCES = tests/fuzz/fuzz_redact.c
tests_fuzz_fuzz_redact_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/redact

UNIT_TESTS += tests/unit/test_diff
tests_unit_test_diff_SOURCES = tests/unit/test_diff.c
tests_unit_test_diff_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_diff_LDADD = $(UNIT_LIBS)
FUZZERS += tests/fuzz/fuzz_diff
tests_fuzz_fuzz_diff_SOURCES = tests/fuzz/fuzz_diff.c
tests_fuzz_fuzz_diff_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/diff

UNIT_TESTS += tests/unit/test_children
tests_unit_test_children_SOURCES = tests/unit/test_children.c
tests_unit_test_children_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_children_LDADD = $(UNIT_LIBS)
