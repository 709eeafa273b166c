# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/offline/blocks.c src/offline/blocks.h \
	src/offline/explain.h \
	src/offline/harvest.c src/offline/harvest.h \
	src/offline/man_read.c \
	src/offline/mdoc_read.c \
	src/offline/mdoc_words.c src/offline/mdoc_words.h \
	src/offline/page.c src/offline/page.h \
	src/offline/page_reader.h \
	src/offline/roff.c src/offline/roff.h \
	src/offline/roff_chars.c src/offline/roff_chars.h \
	src/offline/roff_cond.c \
	src/offline/roff_plain.c \
	src/offline/roff_request.c \
	src/offline/roff_state.h \
	src/offline/sentence.c \
	src/offline/spelling.c src/offline/spelling.h \
	src/offline/zread.c src/offline/zread.h

UNIT_TESTS += tests/unit/test_page
tests_unit_test_page_SOURCES = tests/unit/test_page.c
tests_unit_test_page_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_page_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_man
tests_fuzz_fuzz_man_SOURCES = tests/fuzz/fuzz_man.c
tests_fuzz_fuzz_man_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/man/classic \
	tests/fuzz/corpus/man/mdoc \
	tests/fuzz/corpus/man/conditions \
	tests/fuzz/corpus/man/broken
