# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/offline/index/command_programs.c \
	src/offline/index/command_programs.h \
	src/offline/index/index.c src/offline/index/index.h \
	src/offline/index/index_build.c \
	src/offline/index/index_format.h \
	src/offline/index/index_search.c \
	src/offline/index/index_terms.c src/offline/index/index_terms.h \
	src/offline/index/recipe.c src/offline/index/recipe.h \
	src/offline/index/recipe_example.h \
	src/offline/index/recipe_line.c \
	src/offline/index/recipe_lint.c src/offline/index/recipe_lint.h \
	src/offline/index/recipe_lint_job.c
