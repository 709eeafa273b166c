# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/wire/jsonrpc.c src/wire/jsonrpc.h

UNIT_TESTS += tests/unit/test_jsonrpc
FUZZERS += tests/fuzz/fuzz_jsonrpc
