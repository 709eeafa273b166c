# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/wire/jsonrpc.c src/wire/jsonrpc.h

UNIT_TESTS += tests/unit/test_jsonrpc
tests_unit_test_jsonrpc_SOURCES = tests/unit/test_jsonrpc.c
tests_unit_test_jsonrpc_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_jsonrpc_LDADD = $(UNIT_LIBS)
FUZZERS += tests/fuzz/fuzz_jsonrpc
tests_fuzz_fuzz_jsonrpc_SOURCES = tests/fuzz/fuzz_jsonrpc.c
tests_fuzz_fuzz_jsonrpc_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/jsonrpc
