# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/acp/acp.c src/server/acp/acp.h \
	src/server/acp/acp_agent.c src/server/acp/acp_agent.h \
	src/server/acp/acp_answer.c src/server/acp/acp_answer.h \
	src/server/acp/acp_client.c src/server/acp/acp_client.h \
	src/server/acp/acp_connection.c src/server/acp/acp_connection.h \
	src/server/acp/acp_draft_queue.c src/server/acp/acp_draft_queue.h \
	src/server/acp/acp_draft_steps.c src/server/acp/acp_draft_steps.h \
	src/server/acp/acp_draft_turn.c src/server/acp/acp_draft_turn.h \
	src/server/acp/acp_draft_update.c src/server/acp/acp_draft_update.h \
	src/server/acp/acp_editor.c src/server/acp/acp_editor.h \
	src/server/acp/acp_files.c src/server/acp/acp_files.h \
	src/server/acp/acp_form.c src/server/acp/acp_form.h \
	src/server/acp/acp_history.c src/server/acp/acp_history.h \
	src/server/acp/acp_model.c src/server/acp/acp_model.h \
	src/server/acp/acp_options.c src/server/acp/acp_options.h \
	src/server/acp/acp_patch.c src/server/acp/acp_patch.h \
	src/server/acp/acp_permission.c src/server/acp/acp_permission.h \
	src/server/acp/acp_poll.c src/server/acp/acp_poll.h \
	src/server/acp/acp_port.c src/server/acp/acp_port.h \
	src/server/acp/acp_prompt.c src/server/acp/acp_prompt.h \
	src/server/acp/acp_server.c src/server/acp/acp_server.h \
	src/server/acp/acp_servers.c src/server/acp/acp_servers.h \
	src/server/acp/acp_session.c src/server/acp/acp_session.h \
	src/server/acp/acp_simple_turn.c src/server/acp/acp_simple_turn.h \
	src/server/acp/acp_step_output.c src/server/acp/acp_step_output.h \
	src/server/acp/acp_tool_call.c \
	src/server/acp/acp_turn.c src/server/acp/acp_turn.h \
	src/server/acp/acp_update.c src/server/acp/acp_update.h \
	src/server/acp/acp_v1_turn.c src/server/acp/acp_v1_turn.h

# For the registry of agents: its entry, and an icon.
acpdir = $(pkgdatadir)/acp
dist_acp_DATA = src/server/acp/icon.svg
nodist_acp_DATA = share/acp/agent.json
EXTRA_DIST += src/server/acp/agent.json.in
CLEANFILES += share/acp/agent.json
share/acp/agent.json: src/server/acp/agent.json.in Makefile
	$(AM_V_GEN)$(MKDIR_P) share/acp && \
	sed 's/[@]VERSION[@]/$(PACKAGE_VERSION)/g' \
	  '$(srcdir)/src/server/acp/agent.json.in' >$@

SCRIPT_TESTS += tests/acp/test_approvals.py tests/acp/test_draft.py \
	tests/acp/test_editor.py tests/acp/test_hostile.py \
	tests/acp/test_hostile_ends.py tests/acp/test_hostile_files.py \
	tests/acp/test_hostile_messages.py tests/acp/test_hostile_places.py \
	tests/acp/test_images.py tests/acp/test_manual.py tests/acp/test_port.py \
	tests/acp/test_port_ways.py tests/acp/test_registry.py \
	tests/acp/test_sessions.py tests/acp/test_turns.py
FUZZERS += tests/fuzz/fuzz_acp
EXTRA_DIST += tests/acp/draft.py tests/acp/draft_sdk.mjs tests/acp/editor.py \
	tests/acp/hostile.py tests/acp/port.py tests/acp/port_sdk.mjs \
	tests/acp/soak.py tests/acp/talk.py
