# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/manual/blocks.c src/offline/manual/blocks.h
libagentsh_a_SOURCES += src/offline/manual/harvest.c src/offline/manual/harvest.h
libagentsh_a_SOURCES += src/offline/manual/knowledge.c src/offline/manual/knowledge.h
libagentsh_a_SOURCES += src/offline/manual/man.c
libagentsh_a_SOURCES += src/offline/manual/manpath.c src/offline/manual/manpath.h
libagentsh_a_SOURCES += src/offline/manual/mdoc.c
libagentsh_a_SOURCES += src/offline/manual/page.c src/offline/manual/page.h
libagentsh_a_SOURCES += src/offline/manual/page_load.c src/offline/manual/page_load.h
libagentsh_a_SOURCES += src/offline/manual/roff.c src/offline/manual/roff.h
libagentsh_a_SOURCES += src/offline/manual/roff_text.c
libagentsh_a_SOURCES += src/offline/manual/roff_state.h
libagentsh_a_SOURCES += src/offline/manual/spelling.c src/offline/manual/spelling.h
libagentsh_a_SOURCES += src/offline/manual/synopsis.c src/offline/manual/synopsis.h

# Tables of ours, compiled in; README there says how they are written.
OFFLINE_TABLES = \
	$(srcdir)/src/offline/manual/tables/files.txt \
	$(srcdir)/src/offline/manual/tables/network.txt \
	$(srcdir)/src/offline/manual/tables/shell.txt \
	$(srcdir)/src/offline/manual/tables/system.txt \
	$(srcdir)/src/offline/manual/tables/text.txt \
	$(srcdir)/src/offline/manual/tables/work.txt
EXTRA_DIST += src/offline/manual/tables/README src/offline/manual/tables/make.awk \
	src/offline/manual/tables/files.txt \
	src/offline/manual/tables/network.txt \
	src/offline/manual/tables/shell.txt \
	src/offline/manual/tables/system.txt \
	src/offline/manual/tables/text.txt \
	src/offline/manual/tables/work.txt
BUILT_SOURCES += src/offline/manual/tables.inc
CLEANFILES += src/offline/manual/tables.inc
src/offline/manual/tables.inc: $(srcdir)/src/offline/manual/tables/make.awk $(OFFLINE_TABLES)
	$(AM_V_GEN)$(MKDIR_P) src/offline/manual && \
	$(AWK) -f $(srcdir)/src/offline/manual/tables/make.awk $(OFFLINE_TABLES) \
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

UNIT_TESTS += tests/unit/test_page_cache
tests_unit_test_page_cache_SOURCES = tests/unit/test_page_cache.c
tests_unit_test_page_cache_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_page_cache_LDADD = $(UNIT_LIBS)

src/offline/manual/knowledge.$(OBJEXT): src/offline/manual/tables.inc

UNIT_TESTS += tests/unit/test_page_builtin
tests_unit_test_page_builtin_SOURCES = tests/unit/test_page_builtin.c
tests_unit_test_page_builtin_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_page_builtin_LDADD = $(UNIT_LIBS)
