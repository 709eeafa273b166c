# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/tool/call.c src/tool/call.h \
	src/tool/call_queue.c src/tool/call_queue.h \
	src/tool/captured.c src/tool/captured.h \
	src/tool/check/check.c src/tool/check/check.h \
	src/tool/check/check_exchange.c src/tool/check/check_exchange.h \
	src/tool/check/check_report.c src/tool/check/check_report.h \
	src/tool/check/sample.c src/tool/check/sample.h \
	src/tool/confinement.c src/tool/confinement.h \
	src/tool/confinement_cache.c src/tool/confinement_cache.h \
	src/tool/elevate.c src/tool/elevate.h \
	src/tool/environ.c src/tool/environ.h \
	src/tool/manifest.c src/tool/manifest.h \
	src/tool/manifest_needs.c \
	src/tool/manifest_reader.c src/tool/manifest_reader.h \
	src/tool/mcp/mcp_call.c src/tool/mcp/mcp_call.h \
	src/tool/mcp/mcp_config.c src/tool/mcp/mcp_config.h \
	src/tool/mcp/mcp_era.c src/tool/mcp/mcp_era.h \
	src/tool/mcp/mcp_hash.c src/tool/mcp/mcp_hash.h \
	src/tool/mcp/mcp_http.c src/tool/mcp/mcp_http.h \
	src/tool/mcp/mcp_input.c src/tool/mcp/mcp_input.h \
	src/tool/mcp/mcp_listing.c src/tool/mcp/mcp_listing.h \
	src/tool/mcp/mcp_manifest.c \
	src/tool/mcp/mcp_param_headers.c src/tool/mcp/mcp_param_headers.h \
	src/tool/mcp/mcp_pool.c src/tool/mcp/mcp_pool.h \
	src/tool/mcp/mcp_result.c src/tool/mcp/mcp_result.h \
	src/tool/mcp/mcp_roots.c src/tool/mcp/mcp_roots.h \
	src/tool/mcp/mcp_schema.c src/tool/mcp/mcp_schema.h \
	src/tool/mcp/mcp_session.c src/tool/mcp/mcp_session.h \
	src/tool/mcp/mcp_spawn.c src/tool/mcp/mcp_spawn.h \
	src/tool/mcp/mcp_tools.c src/tool/mcp/mcp_tools.h \
	src/tool/peer_files.c src/tool/peer_files.h \
	src/tool/permit.c src/tool/permit.h \
	src/tool/plugin_dirs.c src/tool/plugin_dirs.h \
	src/tool/plugin_process.c src/tool/plugin_process.h \
	src/tool/pool.c src/tool/pool.h \
	src/tool/protocol.c src/tool/protocol.h \
	src/tool/registry.c src/tool/registry.h \
	src/tool/registry_describe.c \
	src/tool/registry_listing.c src/tool/registry_listing.h \
	src/tool/spawn.c src/tool/spawn.h \
	src/tool/trust.c src/tool/trust.h

UNIT_TESTS += \
	tests/unit/test_call \
	tests/unit/test_cmd_run \
	tests/unit/test_confinement \
	tests/unit/test_elevate \
	tests/unit/test_environ \
	tests/unit/test_manifest \
	tests/unit/test_mcp \
	tests/unit/test_peer_files \
	tests/unit/test_permit \
	tests/unit/test_pool \
	tests/unit/test_protocol \
	tests/unit/test_registry \
	tests/unit/test_registry_describe \
	tests/unit/test_registry_listing \
	tests/unit/test_registry_session \
	tests/unit/test_sample \
	tests/unit/test_trust
FUZZERS += \
	tests/fuzz/fuzz_manifest \
	tests/fuzz/fuzz_mcp \
	tests/fuzz/fuzz_protocol \
	tests/fuzz/fuzz_sample

tests_unit_test_registry_SOURCES = tests/unit/test_registry.c \
	tests/unit/plugins.h
tests_unit_test_registry_describe_SOURCES = \
	tests/unit/test_registry_describe.c tests/unit/plugins.h \
	tests/unit/registry_fixture.h
FAKE_SOURCES = tests/unit/fake_servers.c tests/unit/fake_servers.h
tests_unit_test_registry_listing_SOURCES = \
	tests/unit/test_registry_listing.c $(FAKE_SOURCES)
tests_unit_test_registry_session_SOURCES = \
	tests/unit/test_registry_session.c $(FAKE_SOURCES)
tests_unit_test_trust_SOURCES = tests/unit/test_trust.c \
	tests/unit/plugins.h

tests_unit_test_permit_SOURCES = tests/unit/test_permit.c \
	tests/unit/plugins.h
tests_unit_test_confinement_SOURCES = tests/unit/test_confinement.c \
	tests/unit/plugins.h
# Tools that are called for a test start as they do in the build tree.
check_DATA = tests/unit/agentsh-launch
CLEANFILES += tests/unit/agentsh-launch
tests/unit/agentsh-launch: agentsh-launch$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) tests/unit && \
	  $(LN_S) -f ../../agentsh-launch$(EXEEXT) $@
# The program that a server over HTTP is started by.
check_DATA += tests/unit/agentsh-mcp-http
CLEANFILES += tests/unit/agentsh-mcp-http
tests/unit/agentsh-mcp-http: agentsh-mcp-http$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) tests/unit && \
	  $(LN_S) -f ../../agentsh-mcp-http$(EXEEXT) $@
CALLED_SOURCES = tests/unit/called.c tests/unit/called.h
tests_unit_test_call_SOURCES = tests/unit/test_call.c $(CALLED_SOURCES)
tests_unit_test_pool_SOURCES = tests/unit/test_pool.c $(CALLED_SOURCES)
tests_unit_test_elevate_SOURCES = tests/unit/test_elevate.c $(CALLED_SOURCES)
tests_unit_test_cmd_run_SOURCES = tests/unit/test_cmd_run.c $(CALLED_SOURCES)

SCRIPT_TESTS += tests/mcp/test_eras.py tests/mcp/test_http.py \
	tests/mcp/test_mcp.py tests/mcp/test_real_servers.py
EXTRA_DIST += tests/mcp/fake_eras.py tests/mcp/fake_http.py \
	tests/mcp/fake_server.py tests/mcp/place.py
