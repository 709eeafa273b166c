# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/wish/engine.h
libagentsh_a_SOURCES += src/offline/wish/recipe.h src/offline/wish/recipe.c
libagentsh_a_SOURCES += src/offline/wish/request.h
libagentsh_a_SOURCES += src/offline/wish/shortlist.h
libagentsh_a_SOURCES += src/offline/wish/slot.h
libagentsh_a_SOURCES += src/offline/wish/words.h
libagentsh_a_SOURCES += src/offline/wish/index.h src/offline/wish/index.c
libagentsh_a_SOURCES += src/offline/wish/index_asked.c
libagentsh_a_SOURCES += src/offline/wish/index_form.h
libagentsh_a_SOURCES += src/offline/wish/index_make.c
libagentsh_a_SOURCES += src/offline/wish/index_mend.c
libagentsh_a_SOURCES += src/offline/wish/index_order.c
libagentsh_a_SOURCES += src/offline/wish/index_search.c src/offline/wish/index_search.h
libagentsh_a_SOURCES += src/offline/wish/index_terms.c src/offline/wish/index_terms.h
libagentsh_a_SOURCES += src/offline/wish/index_view.c
libagentsh_a_SOURCES += src/offline/wish/recipe_book.h
libagentsh_a_SOURCES += src/offline/wish/recipe_check.c src/offline/wish/recipe_check.h
libagentsh_a_SOURCES += src/offline/wish/recipe_check_quotes.c
libagentsh_a_SOURCES += src/offline/wish/recipe_check_words.c
libagentsh_a_SOURCES += src/offline/wish/recipe_example.c src/offline/wish/recipe_example.h
libagentsh_a_SOURCES += src/offline/wish/recipe_line.c src/offline/wish/recipe_line.h
libagentsh_a_SOURCES += src/offline/wish/recipe_read.c
libagentsh_a_SOURCES += src/offline/wish/recipe_slots.c

