# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/json/get.c \
	src/json/json.h \
	src/json/node.h \
	src/json/number.c \
	src/json/parse.c \
	src/json/scan.c src/json/scan.h \
	src/json/scan_string.c \
	src/json/schema.h \
	src/json/unique.c \
	src/json/write.c src/json/write.h \
	src/json/write_tree.c

UNIT_TESTS += tests/unit/test_json tests/unit/test_json_write
tests_unit_test_json_SOURCES = tests/unit/test_json.c
tests_unit_test_json_LDADD = $(UNIT_LIBS)
tests_unit_test_json_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_json_write_SOURCES = tests/unit/test_json_write.c
tests_unit_test_json_write_LDADD = $(UNIT_LIBS)
tests_unit_test_json_write_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
