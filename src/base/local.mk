# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/base/buf.c src/base/buf.h \
	src/base/cleanup.h \
	src/base/clock.c src/base/clock.h \
	src/base/err.c src/base/err.h \
	src/base/fd.c src/base/fd.h \
	src/base/file.c src/base/file.h \
	src/base/linebuf.c src/base/linebuf.h \
	src/base/log.c src/base/log.h \
	src/base/loop.c src/base/loop.h \
	src/base/path.c src/base/path.h \
	src/base/proc.c src/base/proc.h \
	src/base/sha256.c src/base/sha256.h \
	src/base/utf8.c src/base/utf8.h

UNIT_TESTS += tests/unit/test_base tests/unit/test_proc tests/unit/test_loop
tests_unit_test_base_SOURCES = tests/unit/test_base.c
tests_unit_test_base_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_base_LDADD = $(UNIT_LIBS)
tests_unit_test_proc_SOURCES = tests/unit/test_proc.c
tests_unit_test_proc_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_proc_LDADD = $(UNIT_LIBS)
tests_unit_test_loop_SOURCES = tests/unit/test_loop.c
tests_unit_test_loop_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_loop_LDADD = $(UNIT_LIBS)
