# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/tool/call.c src/tool/call.h
libagentsh_a_SOURCES += src/tool/confinement.c src/tool/confinement.h
libagentsh_a_SOURCES += src/tool/elevate.c src/tool/elevate.h
libagentsh_a_SOURCES += src/tool/environ.c src/tool/environ.h
libagentsh_a_SOURCES += src/tool/manifest.c src/tool/manifest.h
libagentsh_a_SOURCES += src/tool/manifest_needs.c
libagentsh_a_SOURCES += src/tool/manifest_reader.c src/tool/manifest_reader.h
libagentsh_a_SOURCES += src/tool/permit.c src/tool/permit.h
libagentsh_a_SOURCES += src/tool/plugin_process.c src/tool/plugin_process.h
libagentsh_a_SOURCES += src/tool/pool.c src/tool/pool.h
libagentsh_a_SOURCES += src/tool/protocol.c src/tool/protocol.h
libagentsh_a_SOURCES += src/tool/registry.c src/tool/registry.h
libagentsh_a_SOURCES += src/tool/registry_describe.c
libagentsh_a_SOURCES += src/tool/spawn.c src/tool/spawn.h
libagentsh_a_SOURCES += src/tool/trust.c src/tool/trust.h
libagentsh_a_SOURCES += src/tool/check/check.c src/tool/check/check.h
libagentsh_a_SOURCES += src/tool/check/check_exchange.c \
	src/tool/check/check_exchange.h
libagentsh_a_SOURCES += src/tool/check/check_report.c \
	src/tool/check/check_report.h
libagentsh_a_SOURCES += src/tool/check/sample.c src/tool/check/sample.h
libagentsh_a_SOURCES += src/tool/mcp/mcp_call.c src/tool/mcp/mcp_call.h
libagentsh_a_SOURCES += src/tool/mcp/mcp_config.c src/tool/mcp/mcp_config.h
libagentsh_a_SOURCES += src/tool/mcp/mcp_hash.c src/tool/mcp/mcp_hash.h
libagentsh_a_SOURCES += src/tool/mcp/mcp_pool.c src/tool/mcp/mcp_pool.h
libagentsh_a_SOURCES += src/tool/mcp/mcp_result.c src/tool/mcp/mcp_result.h
libagentsh_a_SOURCES += src/tool/mcp/mcp_schema.c src/tool/mcp/mcp_schema.h
libagentsh_a_SOURCES += src/tool/mcp/mcp_session.c src/tool/mcp/mcp_session.h
libagentsh_a_SOURCES += src/tool/mcp/mcp_tools.c src/tool/mcp/mcp_tools.h

UNIT_TESTS += tests/unit/test_protocol
tests_unit_test_protocol_SOURCES = tests/unit/test_protocol.c
tests_unit_test_protocol_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_protocol_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_environ
tests_unit_test_environ_SOURCES = tests/unit/test_environ.c
tests_unit_test_environ_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_environ_LDADD = $(UNIT_LIBS)
FUZZERS += tests/fuzz/fuzz_protocol
tests_fuzz_fuzz_protocol_SOURCES = tests/fuzz/fuzz_protocol.c
tests_fuzz_fuzz_protocol_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/protocol

UNIT_TESTS += tests/unit/test_manifest
tests_unit_test_manifest_SOURCES = tests/unit/test_manifest.c
tests_unit_test_manifest_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_manifest_LDADD = $(UNIT_LIBS)
FUZZERS += tests/fuzz/fuzz_manifest
tests_fuzz_fuzz_manifest_SOURCES = tests/fuzz/fuzz_manifest.c
tests_fuzz_fuzz_manifest_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/manifest

UNIT_TESTS += tests/unit/test_registry
tests_unit_test_registry_SOURCES = tests/unit/test_registry.c \
	tests/unit/plugins.h
tests_unit_test_registry_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_registry_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_registry_describe
tests_unit_test_registry_describe_SOURCES = \
	tests/unit/test_registry_describe.c tests/unit/plugins.h \
	tests/unit/registry_fixture.h
tests_unit_test_registry_describe_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_registry_describe_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_trust
tests_unit_test_trust_SOURCES = tests/unit/test_trust.c \
	tests/unit/plugins.h
tests_unit_test_trust_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_trust_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_permit
tests_unit_test_permit_SOURCES = tests/unit/test_permit.c \
	tests/unit/plugins.h
tests_unit_test_permit_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_permit_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_confinement
tests_unit_test_confinement_SOURCES = tests/unit/test_confinement.c \
	tests/unit/plugins.h
tests_unit_test_confinement_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_confinement_LDADD = $(UNIT_LIBS)
# Tools that are called for a test start as they do in the build tree.
check_DATA = tests/unit/agentsh-launch
CLEANFILES += tests/unit/agentsh-launch
tests/unit/agentsh-launch: agentsh-launch$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) tests/unit && \
	  $(LN_S) -f ../../agentsh-launch$(EXEEXT) $@
CALLED_SOURCES = tests/unit/called.c tests/unit/called.h
UNIT_TESTS += tests/unit/test_call
tests_unit_test_call_SOURCES = tests/unit/test_call.c $(CALLED_SOURCES)
tests_unit_test_call_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_call_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_pool
tests_unit_test_pool_SOURCES = tests/unit/test_pool.c $(CALLED_SOURCES)
tests_unit_test_pool_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_pool_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_elevate
tests_unit_test_elevate_SOURCES = tests/unit/test_elevate.c $(CALLED_SOURCES)
tests_unit_test_elevate_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_elevate_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_cmd_run
tests_unit_test_cmd_run_SOURCES = tests/unit/test_cmd_run.c $(CALLED_SOURCES)
tests_unit_test_cmd_run_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_cmd_run_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_mcp
tests_fuzz_fuzz_mcp_SOURCES = tests/fuzz/fuzz_mcp.c
tests_fuzz_fuzz_mcp_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/mcp
UNIT_TESTS += tests/unit/test_mcp
tests_unit_test_mcp_SOURCES = tests/unit/test_mcp.c
tests_unit_test_mcp_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_mcp_LDADD = $(UNIT_LIBS)
TESTS += tests/mcp/test_mcp.py
TESTS += tests/mcp/test_real_servers.py
EXTRA_DIST += tests/mcp/test_mcp.py
EXTRA_DIST += tests/mcp/test_real_servers.py
EXTRA_DIST += tests/mcp/fake_server.py
UNIT_TESTS += tests/unit/test_sample
tests_unit_test_sample_SOURCES = tests/unit/test_sample.c
tests_unit_test_sample_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sample_LDADD = $(UNIT_LIBS)
FUZZERS += tests/fuzz/fuzz_sample
tests_fuzz_fuzz_sample_SOURCES = tests/fuzz/fuzz_sample.c
tests_fuzz_fuzz_sample_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/sample
