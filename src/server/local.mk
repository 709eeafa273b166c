# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/acp/acp.c src/server/acp/acp.h \
	src/server/acp/acp_answer.c src/server/acp/acp_answer.h \
	src/server/acp/acp_client.c src/server/acp/acp_client.h \
	src/server/acp/acp_draft_queue.c src/server/acp/acp_draft_queue.h \
	src/server/acp/acp_draft_steps.c src/server/acp/acp_draft_steps.h \
	src/server/acp/acp_draft_turn.c src/server/acp/acp_draft_turn.h \
	src/server/acp/acp_draft_update.c src/server/acp/acp_draft_update.h \
	src/server/acp/acp_files.c src/server/acp/acp_files.h \
	src/server/acp/acp_form.c src/server/acp/acp_form.h \
	src/server/acp/acp_history.c src/server/acp/acp_history.h \
	src/server/acp/acp_model.c src/server/acp/acp_model.h \
	src/server/acp/acp_options.c src/server/acp/acp_options.h \
	src/server/acp/acp_patch.c src/server/acp/acp_patch.h \
	src/server/acp/acp_permission.c src/server/acp/acp_permission.h \
	src/server/acp/acp_prompt.c src/server/acp/acp_prompt.h \
	src/server/acp/acp_servers.c src/server/acp/acp_servers.h \
	src/server/acp/acp_session.c src/server/acp/acp_session.h \
	src/server/acp/acp_simple_turn.c src/server/acp/acp_simple_turn.h \
	src/server/acp/acp_step_output.c src/server/acp/acp_step_output.h \
	src/server/acp/acp_tool_call.c \
	src/server/acp/acp_turn.c src/server/acp/acp_turn.h \
	src/server/acp/acp_turn_shared.c src/server/acp/acp_turn_shared.h \
	src/server/acp/acp_update.c src/server/acp/acp_update.h \
	src/server/guest/guest.c src/server/guest/guest.h \
	src/server/guest/guest_command.c src/server/guest/guest_command.h \
	src/server/guest/guest_connection.c src/server/guest/guest_connection.h \
	src/server/guest/guest_exec.c src/server/guest/guest_exec.h \
	src/server/guest/guest_files.c src/server/guest/guest_files.h \
	src/server/guest/guest_methods.c src/server/guest/guest_methods.h \
	src/server/guest/guest_job.c src/server/guest/guest_job.h \
	src/server/guest/guest_launch.c src/server/guest/guest_launch.h \
	src/server/guest/guest_orphans.c src/server/guest/guest_orphans.h \
	src/server/guest/guest_params.c src/server/guest/guest_params.h \
	src/server/guest/guest_path.c src/server/guest/guest_path.h \
	src/server/guest/guest_record.c src/server/guest/guest_record.h \
	src/server/guest/guest_spool.c src/server/guest/guest_spool.h \
	src/server/guest/guest_watch.c src/server/guest/guest_watch.h \
	src/server/guest/guest_write.c src/server/guest/guest_write.h \
	src/server/guest/guest_attachment.c src/server/guest/guest_attachment.h \
	src/server/guest/guest_fs.c src/server/guest/guest_fs.h \
	src/server/guest/guest_machine.c src/server/guest/guest_machine.h \
	src/server/guest/guest_process.c src/server/guest/guest_process.h \
	src/server/guest/guest_start.c src/server/guest/guest_start.h \
	src/server/guest/guest_rules.c src/server/guest/guest_rules.h \
	src/server/guest/guest_shared.h \
	src/server/mcp/mcp_answer.c src/server/mcp/mcp_answer.h \
	src/server/mcp/mcp_catalog.c src/server/mcp/mcp_catalog.h \
	src/server/mcp/mcp_client.c src/server/mcp/mcp_client.h \
	src/server/mcp/mcp_http_server.c src/server/mcp/mcp_http_server.h \
	src/server/mcp/mcp_http_events.c src/server/mcp/mcp_http_events.h \
	src/server/mcp/mcp_http_headers.c src/server/mcp/mcp_http_headers.h \
	src/server/mcp/mcp_http_session.c src/server/mcp/mcp_http_session.h \
	src/server/mcp/mcp_invocation.c src/server/mcp/mcp_invocation.h \
	src/server/mcp/mcp_journal_job.c src/server/mcp/mcp_journal_job.h \
	src/server/mcp/mcp_journal_read.c src/server/mcp/mcp_journal_read.h \
	src/server/mcp/mcp_progress.c src/server/mcp/mcp_progress.h \
	src/server/mcp/mcp_prompt.c src/server/mcp/mcp_prompt.h \
	src/server/mcp/mcp_question.c src/server/mcp/mcp_question.h \
	src/server/mcp/mcp_record.c src/server/mcp/mcp_record.h \
	src/server/mcp/mcp_reply.c src/server/mcp/mcp_reply.h \
	src/server/mcp/mcp_request.c src/server/mcp/mcp_request.h \
	src/server/mcp/mcp_resource.c src/server/mcp/mcp_resource.h \
	src/server/mcp/mcp_service.c src/server/mcp/mcp_service.h \
	src/server/mcp/mcp_shared.h \
	src/server/mcp/mcp_subscription.c src/server/mcp/mcp_subscription.h \
	src/server/mcp/mcp_task.c src/server/mcp/mcp_task.h \
	src/server/mcp/mcp_ticket.c src/server/mcp/mcp_ticket.h \
	src/server/server_http.c src/server/server_http.h \
	src/server/server_http_gate.c src/server/server_http_gate.h \
	src/server/server_listen.c src/server/server_listen.h \
	src/server/server_log.c src/server/server_log.h \
	src/server/server_policy.c src/server/server_policy.h \
	src/server/server_token.c src/server/server_token.h \
	src/server/service.c src/server/service.h \
	src/server/spaces/spaces.c src/server/spaces/spaces.h \
	src/server/spaces/spaces_check.c src/server/spaces/spaces_check.h \
	src/server/spaces/spaces_event.c src/server/spaces/spaces_event.h \
	src/server/spaces/spaces_file_op.c src/server/spaces/spaces_file_op.h \
	src/server/spaces/spaces_files.c src/server/spaces/spaces_files.h \
	src/server/spaces/spaces_message.c src/server/spaces/spaces_message.h \
	src/server/spaces/spaces_permissive.c \
	src/server/spaces/spaces_permissive.h \
	src/server/spaces/spaces_run.c src/server/spaces/spaces_run.h \
	src/server/spaces/spaces_shared.c src/server/spaces/spaces_shared.h

pkglibexec_PROGRAMS += agentsh-server
agentsh_server_SOURCES = src/server/main.c \
	src/server/cmd_acp.c src/server/cmd_approvals.c \
	src/server/cmd_guest.c \
	src/server/cmd_guest_call.c src/server/cmd_mcp.c \
	src/server/cmd_spaces.c \
	src/server/spaces_command.c src/server/spaces_command.h \
	src/server/server_commands.h \
	src/frontend/cli/command.c src/frontend/cli/command.h
agentsh_server_LDADD = $(FRONT_LIBS)

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

# Units of systemd, to copy to /etc/systemd/system, or a user's own.
unitdir = $(pkgdatadir)/systemd
nodist_unit_DATA = share/systemd/agentsh-guest.service \
	share/systemd/agentsh-mcp.service
EXTRA_DIST += src/server/guest/agentsh-guest.service.in \
	src/server/mcp/agentsh-mcp.service.in
CLEANFILES += $(nodist_unit_DATA)
share/systemd/agentsh-mcp.service: src/server/mcp/agentsh-mcp.service.in \
  Makefile
	$(AM_V_GEN)$(MKDIR_P) share/systemd && \
	sed 's|[@]bindir@|$(bindir)|g' \
	  '$(srcdir)/src/server/mcp/agentsh-mcp.service.in' >$@
share/systemd/agentsh-guest.service: src/server/guest/agentsh-guest.service.in \
  Makefile
	$(AM_V_GEN)$(MKDIR_P) share/systemd && \
	sed 's|[@]bindir@|$(bindir)|g' \
	  '$(srcdir)/src/server/guest/agentsh-guest.service.in' >$@

UNIT_TESTS += tests/unit/test_guest_spool tests/unit/test_http_gate

# The first of them wait the longest.
SCRIPT_TESTS += \
	tests/mcp/test_server_tasks.py \
	tests/mcp/test_server_hostile.py \
	tests/mcp/test_http_hostile.py \
	tests/mcp/test_http_peers.py \
	tests/mcp/test_http_sessions.py \
	tests/mcp/test_http_server.py \
	tests/mcp/test_server.py \
	tests/mcp/test_server_manual.py \
	tests/mcp/test_server_others.py \
	tests/mcp/test_server_requests.py

SCRIPT_TESTS += \
	tests/acp/test_approvals.py \
	tests/acp/test_draft.py \
	tests/acp/test_editor.py \
	tests/acp/test_hostile.py \
	tests/acp/test_hostile_ends.py \
	tests/acp/test_hostile_files.py \
	tests/acp/test_hostile_messages.py \
	tests/acp/test_hostile_places.py \
	tests/acp/test_images.py \
	tests/acp/test_manual.py \
	tests/acp/test_registry.py \
	tests/acp/test_sessions.py \
	tests/acp/test_turns.py \
	tests/guest/test_confined.py \
	tests/guest/test_connections.py \
	tests/guest/test_manual.py \
	tests/guest/test_methods.py \
	tests/guest/test_on.py \
	tests/guest/test_orphans.py \
	tests/guest/test_process.py \
	tests/guest/test_record.py \
	tests/guest/test_trouble.py \
	tests/guest/test_watch.py

SCRIPT_TESTS += \
	tests/spaces/test_approvals.py \
	tests/spaces/test_hostile.py \
	tests/spaces/test_kill.py \
	tests/spaces/test_manual.py \
	tests/spaces/test_operations.py

FUZZERS += tests/fuzz/fuzz_acp tests/fuzz/fuzz_guest tests/fuzz/fuzz_spaces \
	tests/fuzz/fuzz_mcp_server

EXTRA_DIST += tests/acp/draft.py tests/acp/draft_sdk.mjs tests/acp/editor.py \
	tests/acp/hostile.py tests/acp/soak.py tests/acp/talk.py tests/guest/agent.py \
	tests/guest/hosts.py tests/guest/soak.py tests/spaces/agent.py \
	tests/spaces/soak.py tests/mcp/client.py tests/mcp/soak.py \
	tests/mcp/fake_fixtures.py tests/mcp/http_sdk.mjs tests/mcp/web.py
