# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/tool/call.c src/tool/call.h
libagentsh_a_SOURCES += src/tool/call_in.h
libagentsh_a_SOURCES += src/tool/call_line.c
libagentsh_a_SOURCES += src/tool/environ.c src/tool/environ.h
libagentsh_a_SOURCES += src/tool/environ_git.c src/tool/environ_git.h
libagentsh_a_SOURCES += src/tool/response.c src/tool/response.h
libagentsh_a_SOURCES += src/tool/peer.c src/tool/peer.h
libagentsh_a_SOURCES += src/tool/note.c src/tool/note.h
libagentsh_a_SOURCES += src/tool/request.c src/tool/request.h
libagentsh_a_SOURCES += src/tool/pool.c src/tool/pool.h
libagentsh_a_SOURCES += src/tool/need.c src/tool/need.h
libagentsh_a_SOURCES += src/tool/launch.c src/tool/launch.h
libagentsh_a_SOURCES += src/tool/manifest.c src/tool/manifest.h
libagentsh_a_SOURCES += src/tool/manifest_in.h
libagentsh_a_SOURCES += src/tool/manifest_action.c
libagentsh_a_SOURCES += src/tool/manifest_member.c
libagentsh_a_SOURCES += src/tool/manifest_needs.c
libagentsh_a_SOURCES += src/tool/manifest_words.c
libagentsh_a_SOURCES += src/tool/registry.c src/tool/registry.h
libagentsh_a_SOURCES += src/tool/registry_in.h
libagentsh_a_SOURCES += src/tool/registry_describe.c
libagentsh_a_SOURCES += src/tool/registry_look.c
libagentsh_a_SOURCES += src/tool/registry_scan.c
libagentsh_a_SOURCES += src/tool/trial/trial.c src/tool/trial/trial.h
libagentsh_a_SOURCES += src/tool/trial/trial_in.h
libagentsh_a_SOURCES += src/tool/trial/chat.c src/tool/trial/chat.h
libagentsh_a_SOURCES += src/tool/trial/sample.c src/tool/trial/sample.h
libagentsh_a_SOURCES += src/tool/trial/trial_ask.c
libagentsh_a_SOURCES += src/tool/trial/trial_place.c
libagentsh_a_SOURCES += src/tool/trial/trial_manifest.c
libagentsh_a_SOURCES += src/tool/trial/trial_action.c
libagentsh_a_SOURCES += src/tool/trial/trial_tool.c
libagentsh_a_SOURCES += src/tool/trust.c src/tool/trust.h
libagentsh_a_SOURCES += src/tool/trust_hash.c
libagentsh_a_SOURCES += src/tool/permit.c src/tool/permit.h
libagentsh_a_SOURCES += src/tool/permit_site.c
libagentsh_a_SOURCES += src/tool/registry_mcp.c
libagentsh_a_SOURCES += src/tool/mcp/answer.c src/tool/mcp/answer.h
libagentsh_a_SOURCES += src/tool/mcp/call.c src/tool/mcp/call.h
libagentsh_a_SOURCES += src/tool/mcp/entry.c src/tool/mcp/entry.h
libagentsh_a_SOURCES += src/tool/mcp/expand.c
libagentsh_a_SOURCES += src/tool/mcp/idle.c src/tool/mcp/idle.h
libagentsh_a_SOURCES += src/tool/mcp/launch.c
libagentsh_a_SOURCES += src/tool/mcp/list.c src/tool/mcp/list.h
libagentsh_a_SOURCES += src/tool/mcp/listing.c src/tool/mcp/listing.h
libagentsh_a_SOURCES += src/tool/mcp/offer.c
libagentsh_a_SOURCES += src/tool/mcp/program.c src/tool/mcp/program.h
libagentsh_a_SOURCES += src/tool/mcp/roots.c src/tool/mcp/roots.h
libagentsh_a_SOURCES += src/tool/mcp/schema.c src/tool/mcp/schema.h
libagentsh_a_SOURCES += src/tool/mcp/session.c src/tool/mcp/session.h

UNIT_TESTS += tests/unit/test_tool
tests_unit_test_tool_SOURCES = tests/unit/test_tool.c
tests_unit_test_tool_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_tool_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_environ
tests_unit_test_environ_SOURCES = tests/unit/test_environ.c
tests_unit_test_environ_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_environ_LDADD = $(UNIT_LIBS)
FUZZERS += tests/fuzz/fuzz_response
tests_fuzz_fuzz_response_SOURCES = tests/fuzz/fuzz_response.c
tests_fuzz_fuzz_response_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/response

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
	tests/unit/registry_place.h
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
UNIT_TESTS += tests/unit/test_permit_site
tests_unit_test_permit_site_SOURCES = tests/unit/test_permit_site.c \
	tests/unit/plugins.h
tests_unit_test_permit_site_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_permit_site_LDADD = $(UNIT_LIBS)
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
UNIT_TESTS += tests/unit/test_need
tests_unit_test_need_SOURCES = tests/unit/test_need.c $(CALLED_SOURCES)
tests_unit_test_need_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_need_LDADD = $(UNIT_LIBS)
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
