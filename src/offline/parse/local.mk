# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/offline/parse/lexicon.c src/offline/parse/lexicon.h \
	src/offline/parse/request_context.c \
	src/offline/parse/request_parse.c src/offline/parse/request_parse.h \
	src/offline/parse/request_parser.h \
	src/offline/parse/request_quantity.c \
	src/offline/parse/request_bounds.c \
	src/offline/parse/request_shape.c \
	src/offline/parse/request_tokens.c \
	src/offline/parse/request_words.c \
	src/offline/parse/slot.h \
	src/offline/parse/synonyms.c src/offline/parse/synonyms.h

UNIT_TESTS += \
	tests/unit/test_lexicon \
	tests/unit/test_request_bounds \
	tests/unit/test_request_parse

FUZZERS += tests/fuzz/fuzz_request_parse
