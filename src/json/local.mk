# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/json/aside.c src/json/aside.h
libagentsh_a_SOURCES += src/json/equal.c
libagentsh_a_SOURCES += src/json/fault.c
libagentsh_a_SOURCES += src/json/get.c
libagentsh_a_SOURCES += src/json/json.h
libagentsh_a_SOURCES += src/json/node.h
libagentsh_a_SOURCES += src/json/number.c
libagentsh_a_SOURCES += src/json/parse.c
libagentsh_a_SOURCES += src/json/pattern.c
libagentsh_a_SOURCES += src/json/plain.h
libagentsh_a_SOURCES += src/json/rule.h
libagentsh_a_SOURCES += src/json/rules_any.c
libagentsh_a_SOURCES += src/json/rules_form.c
libagentsh_a_SOURCES += src/json/rules_scalar.c
libagentsh_a_SOURCES += src/json/rules_tree.c
libagentsh_a_SOURCES += src/json/scan.c src/json/scan.h
libagentsh_a_SOURCES += src/json/scan_string.c
libagentsh_a_SOURCES += src/json/schema.c src/json/schema.h
libagentsh_a_SOURCES += src/json/unique.c
libagentsh_a_SOURCES += src/json/weigh.c
libagentsh_a_SOURCES += src/json/write.c src/json/write.h
libagentsh_a_SOURCES += src/json/write_tree.c

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
