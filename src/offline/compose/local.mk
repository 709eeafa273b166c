# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/compose/compose.c src/offline/compose/compose.h
libagentsh_a_SOURCES += src/offline/compose/cue.c
libagentsh_a_SOURCES += src/offline/compose/find.c
libagentsh_a_SOURCES += src/offline/compose/place.c
libagentsh_a_SOURCES += src/offline/compose/tail.c
libagentsh_a_SOURCES += src/offline/compose/word.c

UNIT_TESTS += tests/unit/test_compose_word
tests_unit_test_compose_word_SOURCES = tests/unit/test_compose_word.c
tests_unit_test_compose_word_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_compose_word_LDADD = $(UNIT_LIBS)
