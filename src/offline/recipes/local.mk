# SPDX-License-Identifier: GPL-3.0-or-later

EXTRA_DIST += src/offline/recipes/README

# The recipes, compiled in; a new file needs no mention anywhere.
RECIPES = $(srcdir)/src/offline/recipes/*.txt
EXTRA_DIST += $(RECIPES)
if CROSS
# Made anew where it is out of date, which tools/ground.mk knows.
src/offline/recipes/make_index: src/guard/risk/programs.inc FORCE
	+$(FOR_BUILD) $@
else
noinst_PROGRAMS += src/offline/recipes/make_index
src_offline_recipes_make_index_SOURCES = src/offline/recipes/make_index.c
src_offline_recipes_make_index_LDADD = libagentsh.a $(CJSON_LIBS)
endif
CLEANFILES += src/offline/recipes/index.inc
src/offline/recipes/index.inc: src/offline/recipes/make_index$(EXEEXT) $(RECIPES)
	$(AM_V_GEN)index=`pwd`/$@ && made=`pwd`/src/offline/recipes/make_index && \
	cd $(srcdir) && $$made --make $$index src/offline/recipes/*.txt

# A library of its own, behind libagentsh.a: its making needs that one.
noinst_LIBRARIES += librecipes.a
librecipes_a_SOURCES = src/offline/index/index_builtin.c
src/offline/index/index_builtin.$(OBJEXT): src/offline/recipes/index.inc

SCRIPT_TESTS += tests/check/recipes.sh

UNIT_TESTS += tests/unit/test_recipe tests/unit/test_index
tests_unit_test_recipe_SOURCES = tests/unit/test_recipe.c \
	tests/unit/recipe_text.h
tests_unit_test_index_SOURCES = tests/unit/test_index.c \
	tests/unit/recipe_text.h

FUZZERS += tests/fuzz/fuzz_recipe tests/fuzz/fuzz_index
tests_fuzz_fuzz_recipe_SOURCES = tests/fuzz/fuzz_recipe.c \
	tests/unit/recipe_text.h
tests_fuzz_fuzz_index_SOURCES = tests/fuzz/fuzz_index.c \
	tests/unit/recipe_text.h
