# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/offline/blocks.c \
	src/offline/blocks.h \
	src/offline/explain.c \
	src/offline/explain.h \
	src/offline/explain_args.h \
	src/offline/explain_call.c \
	src/offline/explain_expansion.c \
	src/offline/explain_gap.c \
	src/offline/explain_guess.c \
	src/offline/explain_json.c \
	src/offline/explain_letters.c \
	src/offline/explain_operands.c \
	src/offline/explain_option.c \
	src/offline/explain_script.c \
	src/offline/explain_shell.c \
	src/offline/explain_state.h \
	src/offline/explain_text.c \
	src/offline/harvest.c \
	src/offline/harvest.h \
	src/offline/knowledge.c \
	src/offline/knowledge.h \
	src/offline/man_read.c \
	src/offline/manpath.c \
	src/offline/manpath.h \
	src/offline/mdoc_read.c \
	src/offline/mdoc_words.c \
	src/offline/mdoc_words.h \
	src/offline/page.c \
	src/offline/page.h \
	src/offline/page_cache.c \
	src/offline/page_cache.h \
	src/offline/page_load.c \
	src/offline/page_load.h \
	src/offline/page_reader.h \
	src/offline/roff.c \
	src/offline/roff.h \
	src/offline/roff_chars.c \
	src/offline/roff_chars.h \
	src/offline/roff_cond.c \
	src/offline/roff_plain.c \
	src/offline/roff_request.c \
	src/offline/roff_state.h \
	src/offline/sentence.c \
	src/offline/spelling.c \
	src/offline/spelling.h \
	src/offline/synopsis.c \
	src/offline/synopsis.h \
	src/offline/zread.c \
	src/offline/zread.h

# Tables of ours, compiled in; README there says how they are written.
OFFLINE_TABLES = \
	$(srcdir)/src/offline/tables/files.txt \
	$(srcdir)/src/offline/tables/network.txt \
	$(srcdir)/src/offline/tables/shell.txt \
	$(srcdir)/src/offline/tables/system.txt \
	$(srcdir)/src/offline/tables/text.txt
EXTRA_DIST += src/offline/tables/README src/offline/tables/make.awk \
	src/offline/tables/files.txt \
	src/offline/tables/network.txt \
	src/offline/tables/shell.txt \
	src/offline/tables/system.txt \
	src/offline/tables/text.txt
BUILT_SOURCES += src/offline/tables.inc
CLEANFILES += src/offline/tables.inc
src/offline/tables.inc: $(srcdir)/src/offline/tables/make.awk $(OFFLINE_TABLES)
	$(AM_V_GEN)$(MKDIR_P) src/offline && \
	$(AWK) -f $(srcdir)/src/offline/tables/make.awk $(OFFLINE_TABLES) \
		>$@.tmp && mv $@.tmp $@

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
	tests/fuzz/corpus/man/broken \
	tests/fuzz/corpus/man/escaped-byte \
	tests/fuzz/corpus/man/no-blank \
	tests/fuzz/corpus/man/long-lines \
	tests/fuzz/corpus/man/no-name

UNIT_TESTS += tests/unit/test_explain
tests_unit_test_explain_SOURCES = tests/unit/test_explain.c
tests_unit_test_explain_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_explain_LDADD = $(UNIT_LIBS)
EXTRA_DIST += tests/data/man/man1/spin.1 \
	tests/data/man/man1/spin-fast.1 \
	tests/data/man/man1/spin-keygen.1 \
	tests/data/man/man1/whirl.1 \
	tests/data/man/man8/turnctl.8

FUZZERS += tests/fuzz/fuzz_explain
tests_fuzz_fuzz_explain_SOURCES = tests/fuzz/fuzz_explain.c
tests_fuzz_fuzz_explain_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/explain/line-1 \
	tests/fuzz/corpus/explain/line-2 \
	tests/fuzz/corpus/explain/line-3 \
	tests/fuzz/corpus/explain/line-4 \
	tests/fuzz/corpus/explain/line-5 \
	tests/fuzz/corpus/explain/open

UNIT_TESTS += tests/unit/test_explain_view
tests_unit_test_explain_view_SOURCES = tests/unit/test_explain_view.c
tests_unit_test_explain_view_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_explain_view_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_page_cache
tests_unit_test_page_cache_SOURCES = tests/unit/test_page_cache.c
tests_unit_test_page_cache_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_page_cache_LDADD = $(UNIT_LIBS)

src/offline/knowledge.$(OBJEXT): src/offline/tables.inc
