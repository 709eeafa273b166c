# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/index/recipe.h src/offline/index/recipe.c
libagentsh_a_SOURCES += src/offline/index/index.h src/offline/index/index.c
libagentsh_a_SOURCES += src/offline/index/index_search.c
libagentsh_a_SOURCES += src/offline/index/index_format.h
libagentsh_a_SOURCES += src/offline/index/index_build.c
libagentsh_a_SOURCES += src/offline/index/index_terms.c src/offline/index/index_terms.h
libagentsh_a_SOURCES += src/offline/index/command_programs.c src/offline/index/command_programs.h
libagentsh_a_SOURCES += src/offline/index/recipe_book.h
libagentsh_a_SOURCES += src/offline/index/recipe_line.c
libagentsh_a_SOURCES += src/offline/index/recipe_lint.c src/offline/index/recipe_lint.h
libagentsh_a_SOURCES += src/offline/index/recipe_lint_job.c
libagentsh_a_SOURCES += src/offline/index/recipe_example.h

