# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/json/json.h \
	src/json/json_parse.c \
	src/json/json_value.c \
	src/json/node.h \
	src/json/scan.c src/json/scan.h \
	src/json/schema.c src/json/schema.h \
	src/json/schema_error.c \
	src/json/schema_rule.h \
	src/json/schema_scalar.c \
	src/json/verbatim.h \
	src/json/write.c src/json/write.h

UNIT_TESTS += \
	tests/unit/test_json \
	tests/unit/test_json_bounds \
	tests/unit/test_json_schema \
	tests/unit/test_json_schema_load \
	tests/unit/test_json_suite \
	tests/unit/test_json_write

FUZZERS += tests/fuzz/fuzz_json tests/fuzz/fuzz_schema

