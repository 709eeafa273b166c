# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/recipe/recipe.h src/offline/recipe/recipe.c
libagentsh_a_SOURCES += src/offline/recipe/index.h src/offline/recipe/index.c
libagentsh_a_SOURCES += src/offline/recipe/index_asked.c
libagentsh_a_SOURCES += src/offline/recipe/index_form.h
libagentsh_a_SOURCES += src/offline/recipe/index_make.c
libagentsh_a_SOURCES += src/offline/recipe/index_mend.c
libagentsh_a_SOURCES += src/offline/recipe/index_order.c
libagentsh_a_SOURCES += src/offline/recipe/index_programs.c src/offline/recipe/index_programs.h
libagentsh_a_SOURCES += src/offline/recipe/index_rate.c
libagentsh_a_SOURCES += src/offline/recipe/index_search.c src/offline/recipe/index_search.h
libagentsh_a_SOURCES += src/offline/recipe/index_terms.c src/offline/recipe/index_terms.h
libagentsh_a_SOURCES += src/offline/recipe/index_view.c
libagentsh_a_SOURCES += src/offline/recipe/programs.c src/offline/recipe/programs.h
libagentsh_a_SOURCES += src/offline/recipe/recipe_book.h
libagentsh_a_SOURCES += src/offline/recipe/recipe_check.c src/offline/recipe/recipe_check.h
libagentsh_a_SOURCES += src/offline/recipe/recipe_check_job.c
libagentsh_a_SOURCES += src/offline/recipe/recipe_check_quotes.c
libagentsh_a_SOURCES += src/offline/recipe/recipe_check_words.c
libagentsh_a_SOURCES += src/offline/recipe/recipe_example.c src/offline/recipe/recipe_example.h
libagentsh_a_SOURCES += src/offline/recipe/recipe_line.c src/offline/recipe/recipe_line.h
libagentsh_a_SOURCES += src/offline/recipe/recipe_read.c
libagentsh_a_SOURCES += src/offline/recipe/recipe_slots.c

