# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/term/clipboard.c src/term/clipboard.h \
	src/term/emoji_width.c src/term/emoji_width.h \
	src/term/escape.c src/term/escape.h \
	src/term/keys.c src/term/keys.h \
	src/term/markdown.c src/term/markdown.h \
	src/term/md_render.c src/term/md_render.h \
	src/term/md_table.c src/term/md_table.h \
	src/term/menu.c src/term/menu.h \
	src/term/menu_draw.c src/term/menu_draw.h \
	src/term/progress_line.c src/term/progress_line.h \
	src/term/pty.c src/term/pty.h \
	src/term/style.c src/term/style.h \
	src/term/term.c src/term/term.h \
	src/term/term_filter.c src/term/term_filter.h \
	src/term/term_query.c src/term/term_query.h \
	src/term/width.c src/term/width.h \
	src/term/width_table.h
EXTRA_DIST += src/term/width_table.py

UNIT_TESTS += tests/unit/test_term_text
tests_unit_test_term_text_SOURCES = tests/unit/test_term_text.c
tests_unit_test_term_text_LDADD = $(UNIT_LIBS)
tests_unit_test_term_text_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

UNIT_TESTS += tests/unit/test_term_filter
tests_unit_test_term_filter_SOURCES = tests/unit/test_term_filter.c
tests_unit_test_term_filter_LDADD = $(UNIT_LIBS)
tests_unit_test_term_filter_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

UNIT_TESTS += tests/unit/test_term_keys
tests_unit_test_term_keys_SOURCES = tests/unit/test_term_keys.c
tests_unit_test_term_keys_LDADD = $(UNIT_LIBS)
tests_unit_test_term_keys_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
UNIT_TESTS += tests/unit/test_term_menu
tests_unit_test_term_menu_SOURCES = tests/unit/test_term_menu.c
tests_unit_test_term_menu_LDADD = $(UNIT_LIBS)
tests_unit_test_term_menu_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

UNIT_TESTS += tests/unit/test_term_live
tests_unit_test_term_live_SOURCES = tests/unit/test_term_live.c
tests_unit_test_term_live_LDADD = $(UNIT_LIBS)
tests_unit_test_term_live_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

UNIT_TESTS += tests/unit/test_term_markdown
tests_unit_test_term_markdown_SOURCES = tests/unit/test_term_markdown.c
tests_unit_test_term_markdown_LDADD = $(UNIT_LIBS)
tests_unit_test_term_markdown_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

FUZZERS += tests/fuzz/fuzz_escape
tests_fuzz_fuzz_escape_SOURCES = tests/fuzz/fuzz_escape.c
tests_fuzz_fuzz_escape_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/escape

FUZZERS += tests/fuzz/fuzz_filter
tests_fuzz_fuzz_filter_SOURCES = tests/fuzz/fuzz_filter.c
tests_fuzz_fuzz_filter_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/filter

FUZZERS += tests/fuzz/fuzz_markdown
tests_fuzz_fuzz_markdown_SOURCES = tests/fuzz/fuzz_markdown.c
tests_fuzz_fuzz_markdown_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/markdown

# Asks questions for the terminal tests.
check_PROGRAMS += tests/lib/term_probe
tests_lib_term_probe_SOURCES = tests/lib/term_probe.c
tests_lib_term_probe_LDADD = libagentsh.a
EXTRA_DIST += tests/tty/test_term_menu.py
if HAVE_PEXPECT
TESTS += tests/tty/test_term_menu.py
endif
