# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/offline/manual/blocks.c src/offline/manual/blocks.h \
	src/offline/manual/harvest.c src/offline/manual/harvest.h \
	src/offline/manual/knowledge.c src/offline/manual/knowledge.h \
	src/offline/manual/man.c \
	src/offline/manual/manpath.c src/offline/manual/manpath.h \
	src/offline/manual/mdoc.c \
	src/offline/manual/page.c src/offline/manual/page.h \
	src/offline/manual/page_load.c src/offline/manual/page_load.h \
	src/offline/manual/roff.c src/offline/manual/roff.h \
	src/offline/manual/roff_state.h \
	src/offline/manual/roff_text.c \
	src/offline/manual/spelling.c src/offline/manual/spelling.h \
	src/offline/manual/synopsis.c src/offline/manual/synopsis.h

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

UNIT_TESTS += \
	tests/unit/test_page \
	tests/unit/test_page_builtin \
	tests/unit/test_page_cache

FUZZERS += tests/fuzz/fuzz_page_load

src/offline/manual/knowledge.$(OBJEXT): src/offline/manual/tables.inc

