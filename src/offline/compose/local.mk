# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/compose/compose.c src/offline/compose/compose.h
libagentsh_a_SOURCES += src/offline/compose/cue.c
libagentsh_a_SOURCES += src/offline/compose/find.c
libagentsh_a_SOURCES += src/offline/compose/place.c
libagentsh_a_SOURCES += src/offline/compose/tail.c
libagentsh_a_SOURCES += src/offline/compose/word.c
libagentsh_a_SOURCES += src/offline/compose/archive.c
libagentsh_a_SOURCES += src/offline/compose/copy.c
libagentsh_a_SOURCES += src/offline/compose/grep.c src/offline/compose/grep.h
libagentsh_a_SOURCES += src/offline/compose/grep_pattern.c
libagentsh_a_SOURCES += src/offline/compose/link.c
libagentsh_a_SOURCES += src/offline/compose/listing.c
libagentsh_a_SOURCES += src/offline/compose/literals.c src/offline/compose/literals.h
libagentsh_a_SOURCES += src/offline/compose/make.c
libagentsh_a_SOURCES += src/offline/compose/remove.c
libagentsh_a_SOURCES += src/offline/compose/sketch.c src/offline/compose/sketch.h
libagentsh_a_SOURCES += src/offline/compose/sketch_take.c

UNIT_TESTS += tests/unit/test_compose_word
tests_unit_test_compose_word_SOURCES = tests/unit/test_compose_word.c
tests_unit_test_compose_word_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_compose_word_LDADD = $(UNIT_LIBS)
