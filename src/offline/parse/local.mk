# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/parse/request_parse.h src/offline/parse/request_parse.c
libagentsh_a_SOURCES += src/offline/parse/slot.h src/offline/parse/request_words.c
libagentsh_a_SOURCES += src/offline/parse/lexicon.h src/offline/parse/lexicon.c
libagentsh_a_SOURCES += src/offline/parse/request_context.c
libagentsh_a_SOURCES += src/offline/parse/request_quantity.c
libagentsh_a_SOURCES += src/offline/parse/request_tokens.c
libagentsh_a_SOURCES += src/offline/parse/request_shape.c
libagentsh_a_SOURCES += src/offline/parse/request_parser.h
libagentsh_a_SOURCES += src/offline/parse/synonyms.c src/offline/parse/synonyms.h

