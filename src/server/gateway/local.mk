# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/gateway/agent_container.c \
	src/server/gateway/agent_container.h \
	src/server/gateway/agent_discovery.c \
	src/server/gateway/agent_discovery.h \
	src/server/gateway/agent_handshake.c \
	src/server/gateway/agent_handshake.h \
	src/server/gateway/agent_link.c src/server/gateway/agent_link.h \
	src/server/gateway/agent_permissions.c \
	src/server/gateway/agent_permissions.h \
	src/server/gateway/agent_process.c src/server/gateway/agent_process.h \
	src/server/gateway/agent_request.c src/server/gateway/agent_request.h \
	src/server/gateway/agent_secrets.c src/server/gateway/agent_secrets.h \
	src/server/gateway/agent_sidecar.c src/server/gateway/agent_sidecar.h \
	src/server/gateway/agent_text.c src/server/gateway/agent_text.h \
	src/server/gateway/agent_type.c src/server/gateway/agent_type.h \
	src/server/gateway/agent_update.c src/server/gateway/agent_update.h \
	src/server/gateway/gateway.c src/server/gateway/gateway.h \
	src/server/gateway/gateway_action.c \
	src/server/gateway/gateway_action.h \
	src/server/gateway/gateway_agent.c src/server/gateway/gateway_agent.h \
	src/server/gateway/gateway_change.c src/server/gateway/gateway_change.h \
	src/server/gateway/gateway_claims.c src/server/gateway/gateway_claims.h \
	src/server/gateway/gateway_client.c \
	src/server/gateway/gateway_client.h \
	src/server/gateway/gateway_cluster.c \
	src/server/gateway/gateway_cluster.h \
	src/server/gateway/gateway_command.c \
	src/server/gateway/gateway_command.h \
	src/server/gateway/gateway_directory.c \
	src/server/gateway/gateway_directory.h \
	src/server/gateway/gateway_keep.c src/server/gateway/gateway_keep.h \
	src/server/gateway/gateway_listing.c \
	src/server/gateway/gateway_listing.h \
	src/server/gateway/gateway_message.c \
	src/server/gateway/gateway_message.h \
	src/server/gateway/gateway_nodes.c src/server/gateway/gateway_nodes.h \
	src/server/gateway/gateway_orchestrator.c \
	src/server/gateway/gateway_orchestrator.h \
	src/server/gateway/gateway_outbox.c \
	src/server/gateway/gateway_outbox.h \
	src/server/gateway/gateway_page.c src/server/gateway/gateway_page.h \
	src/server/gateway/gateway_permission.c \
	src/server/gateway/gateway_permission.h \
	src/server/gateway/gateway_queue.c src/server/gateway/gateway_queue.h \
	src/server/gateway/gateway_retention.c \
	src/server/gateway/gateway_retention.h \
	src/server/gateway/gateway_reply.c src/server/gateway/gateway_reply.h \
	src/server/gateway/gateway_sandbox.c \
	src/server/gateway/gateway_sandbox.h \
	src/server/gateway/gateway_shared.h \
	src/server/gateway/gateway_task.c src/server/gateway/gateway_task.h \
	src/server/gateway/gateway_task_actions.c \
	src/server/gateway/gateway_task_actions.h \
	src/server/gateway/gateway_task_json.c \
	src/server/gateway/gateway_task_json.h \
	src/server/gateway/gateway_tree.c src/server/gateway/gateway_tree.h \
	src/server/gateway/gateway_turn.c src/server/gateway/gateway_turn.h \
	src/server/gateway/gateway_watch.c src/server/gateway/gateway_watch.h \
	src/server/gateway/worktree.c src/server/gateway/worktree.h

# The gateway's page is compiled in.
PAGE_FILES = src/server/gateway/page/index.html \
	src/server/gateway/page/page.css \
	src/server/gateway/page/page_text.js \
	src/server/gateway/page/page_link.js \
	src/server/gateway/page/page_task.js \
	src/server/gateway/page/page_view.js \
	src/server/gateway/page/page_board.js \
	src/server/gateway/page/page_main.js
src/server/gateway/gateway_page_parts.c: tools/page.sh $(PAGE_FILES)
	$(AM_V_GEN)$(MKDIR_P) src/server/gateway && \
	$(SHELL) $(srcdir)/tools/page.sh $(srcdir)/src/server/gateway/page \
	  >$@.new && mv -f $@.new $@
nodist_libagentsh_a_SOURCES += src/server/gateway/gateway_page_parts.c
CLEANFILES += src/server/gateway/gateway_page_parts.c
EXTRA_DIST += tools/page.sh $(PAGE_FILES)

# The same with an agent of the tests' own in the gateway. It finds the others
# beside it.
check_PROGRAMS += stub-server
stub_server_SOURCES = $(agentsh_server_SOURCES) \
	tests/gateway/stub_agent.c
stub_server_LDADD = $(FRONT_LIBS)

# The agents that the gateway knows. Programs in the build tree find a copy.
dist_pkgdata_DATA += src/server/gateway/agents
noinst_DATA += share/agents
CLEANFILES += share/agents
share/agents: src/server/gateway/agents
	$(AM_V_GEN)$(MKDIR_P) share && cp $(srcdir)/src/server/gateway/agents $@

# One agent of the gateway, which the tests of tests/gateway drive.
check_PROGRAMS += agent-probe worktree-probe
worktree_probe_SOURCES = tests/gateway/worktree_probe.c
worktree_probe_LDADD = $(FRONT_LIBS)
agent_probe_SOURCES = tests/gateway/agent_probe.c
agent_probe_LDADD = $(FRONT_LIBS)

UNIT_TESTS += tests/unit/test_agent_permissions tests/unit/test_agent_type \
	tests/unit/test_agent_update tests/unit/test_gateway_change \
	tests/unit/test_gateway_page \
	tests/unit/test_gateway_queue
SCRIPT_TESTS += tests/gateway/test_agents.py \
	tests/gateway/test_agent_containers.py tests/gateway/test_agent_secrets.py \
	tests/gateway/test_hanging.py tests/gateway/test_nats.py \
	tests/gateway/test_retention.py \
	tests/gateway/test_restart.py tests/gateway/test_stopping.py \
	tests/gateway/test_tasks.py \
	tests/gateway/test_turns.py tests/gateway/test_worktrees.py \
	tests/gateway/test_page_gateway.py tests/gateway/test_page_loss.py \
	tests/gateway/test_page.py
FUZZERS += tests/fuzz/fuzz_gateway_message
EXTRA_DIST += tests/gateway/gatewayclient.py tests/gateway/natsserver.py \
	tests/gateway/hanging.py \
	tests/gateway/bash_agent.sh tests/gateway/box.py \
	tests/gateway/box_agent.sh tests/gateway/box_log_agent.sh \
	tests/gateway/fake_agent.py tests/gateway/old_agent.sh tests/gateway/probe.py \
	tests/gateway/browser.py tests/gateway/fake_gateway.py \
	tests/gateway/page_rules.js
