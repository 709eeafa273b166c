# SPDX-License-Identifier: GPL-3.0-or-later
# No tool of its own: what stands before a plugin whose form is words.
noinst_LIBRARIES += plugins/words/libwords.a
plugins_words_libwords_a_SOURCES =
plugins_words_libwords_a_SOURCES += plugins/words/manual.c plugins/words/manual.h
plugins_words_libwords_a_SOURCES += plugins/words/variables.c
plugins_words_libwords_a_SOURCES += plugins/words/variables.h

plugin_wordsdir = $(plugindir)/words
plugin_words_PROGRAMS = plugins/words/words
plugins_words_words_SOURCES = plugins/words/main.c
plugins_words_words_LDADD = plugins/words/libwords.a $(PLUGIN_LIBS)

UNIT_TESTS += tests/unit/test_words
tests_unit_test_words_LDADD = plugins/words/libwords.a $(LDADD)
FUZZERS += tests/fuzz/fuzz_words
tests_fuzz_fuzz_words_LDADD = plugins/words/libwords.a $(LDADD)
