# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/person/hook.c src/person/hook.h \
	src/person/hook_text.h

UNIT_TESTS += tests/unit/test_hook
tests_unit_test_hook_SOURCES = tests/unit/test_hook.c
tests_unit_test_hook_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_hook_LDADD = $(UNIT_LIBS)
