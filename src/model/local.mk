# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/model/choose.h \
	src/model/client.h \
	src/model/context.h

libagentsh_a_SOURCES += src/model/prompt.c src/model/prompt.h
UNIT_TESTS += tests/unit/test_prompt
tests_unit_test_prompt_SOURCES = tests/unit/test_prompt.c
tests_unit_test_prompt_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_prompt_LDADD = $(UNIT_LIBS)
