# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/term/clipboard.c src/term/clipboard.h \
	src/term/emoji_width.c src/term/emoji_width.h \
	src/term/escape.c src/term/escape.h \
	src/term/keys.c src/term/keys.h \
	src/term/markdown.c src/term/markdown.h \
	src/term/md_live.c src/term/md_live.h \
	src/term/md_render.c src/term/md_render.h \
	src/term/md_table.c src/term/md_table.h \
	src/term/menu.c src/term/menu.h \
	src/term/menu_draw.c src/term/menu_draw.h \
	src/term/overprint.c src/term/overprint.h \
	src/term/progress_line.c src/term/progress_line.h \
	src/term/style.c src/term/style.h \
	src/term/term.c src/term/term.h \
	src/term/term_filter.c src/term/term_filter.h \
	src/term/term_query.c src/term/term_query.h \
	src/term/width.c src/term/width.h \
	src/term/width_table.h
EXTRA_DIST += src/term/width_table.py

UNIT_TESTS += \
	tests/unit/test_overprint \
	tests/unit/test_term_filter \
	tests/unit/test_term_keys \
	tests/unit/test_term_live \
	tests/unit/test_term_markdown \
	tests/unit/test_term_menu \
	tests/unit/test_term_text

FUZZERS += \
	tests/fuzz/fuzz_escape \
	tests/fuzz/fuzz_filter \
	tests/fuzz/fuzz_markdown

# Asks questions for the terminal tests.
check_PROGRAMS += tests/lib/term_probe
tests_lib_term_probe_SOURCES = tests/lib/term_probe.c
tests_lib_term_probe_LDADD = libagentsh.a
SCRIPT_TESTS += tests/tty/test_term_menu.py
