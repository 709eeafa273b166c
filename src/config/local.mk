# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/config/config.c src/config/config.h \
	src/config/config_edit.c src/config/config_edit.h \
	src/config/config_file.c src/config/config_file.h \
	src/config/config_headers.c src/config/config_headers.h \
	src/config/config_list.c \
	src/config/config_read.c \
	src/config/config_table.c src/config/config_table.h \
	src/config/ini_file.c src/config/ini_file.h \
	src/config/key_sequence.c src/config/key_sequence.h \
	src/config/nearest.c src/config/nearest.h \
	src/config/provider_names.h

UNIT_TESTS += \
	tests/unit/test_config \
	tests/unit/test_config_edit \
	tests/unit/test_config_list \
	tests/unit/test_key_sequence \
	tests/unit/test_nearest

FUZZERS += tests/fuzz/fuzz_config
