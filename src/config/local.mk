# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/config/config.c src/config/config.h \
	src/config/config_file.c src/config/config_file.h \
	src/config/config_read.c \
	src/config/config_table.c src/config/config_table.h \
	src/config/nearest.c src/config/nearest.h

UNIT_TESTS += tests/unit/test_config tests/unit/test_config_list \
	tests/unit/test_nearest
tests_unit_test_config_list_SOURCES = tests/unit/test_config_list.c
tests_unit_test_config_list_LDADD = $(UNIT_LIBS)
tests_unit_test_config_list_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_config_SOURCES = tests/unit/test_config.c
tests_unit_test_config_LDADD = $(UNIT_LIBS)
tests_unit_test_config_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_nearest_SOURCES = tests/unit/test_nearest.c
tests_unit_test_nearest_LDADD = $(UNIT_LIBS)
tests_unit_test_nearest_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

FUZZERS += tests/fuzz/fuzz_config
tests_fuzz_fuzz_config_SOURCES = tests/fuzz/fuzz_config.c
tests_fuzz_fuzz_config_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += \
	tests/fuzz/corpus/config/before \
	tests/fuzz/corpus/config/broken \
	tests/fuzz/corpus/config/long \
	tests/fuzz/corpus/config/nul \
	tests/fuzz/corpus/config/section \
	tests/fuzz/corpus/config/twice \
	tests/fuzz/corpus/config/whole \
	tests/fuzz/corpus/config/windows \
	tests/fuzz/corpus/config/words
