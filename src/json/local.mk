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

UNIT_TESTS += tests/unit/test_json tests/unit/test_json_bounds \
	tests/unit/test_json_schema tests/unit/test_json_schema_load \
	tests/unit/test_json_suite tests/unit/test_json_write
tests_unit_test_json_SOURCES = tests/unit/test_json.c
tests_unit_test_json_LDADD = $(UNIT_LIBS)
tests_unit_test_json_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_json_write_SOURCES = tests/unit/test_json_write.c
tests_unit_test_json_write_LDADD = $(UNIT_LIBS)
tests_unit_test_json_write_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_json_bounds_SOURCES = tests/unit/test_json_bounds.c
tests_unit_test_json_bounds_LDADD = $(UNIT_LIBS)
tests_unit_test_json_bounds_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_json_schema_SOURCES = tests/unit/test_json_schema.c
tests_unit_test_json_schema_LDADD = $(UNIT_LIBS)
tests_unit_test_json_schema_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_json_schema_load_SOURCES = tests/unit/test_json_schema_load.c
tests_unit_test_json_schema_load_LDADD = $(UNIT_LIBS)
tests_unit_test_json_schema_load_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_json_suite_SOURCES = tests/unit/test_json_suite.c
tests_unit_test_json_suite_LDADD = $(UNIT_LIBS)
tests_unit_test_json_suite_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

FUZZERS += tests/fuzz/fuzz_json
tests_fuzz_fuzz_json_SOURCES = tests/fuzz/fuzz_json.c
tests_fuzz_fuzz_json_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += \
	tests/fuzz/corpus/json/action \
	tests/fuzz/corpus/json/cut \
	tests/fuzz/corpus/json/duplicates \
	tests/fuzz/corpus/json/empty \
	tests/fuzz/corpus/json/lone-surrogate \
	tests/fuzz/corpus/json/long \
	tests/fuzz/corpus/json/many-names \
	tests/fuzz/corpus/json/marks \
	tests/fuzz/corpus/json/nested \
	tests/fuzz/corpus/json/numbers \
	tests/fuzz/corpus/json/prose \
	tests/fuzz/corpus/json/surrogate-bytes \
	tests/fuzz/corpus/json/utf8

FUZZERS += tests/fuzz/fuzz_schema
tests_fuzz_fuzz_schema_SOURCES = tests/fuzz/fuzz_schema.c
tests_fuzz_fuzz_schema_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += \
	tests/fuzz/corpus/schema/endless \
	tests/fuzz/corpus/schema/enum \
	tests/fuzz/corpus/schema/forms \
	tests/fuzz/corpus/schema/one-of \
	tests/fuzz/corpus/schema/repeats \
	tests/fuzz/corpus/schema/steps \
	tests/fuzz/corpus/schema/unknown
