# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/peer_table.c src/server/peer_table.h \
	src/server/server_cookie.c src/server/server_cookie.h \
	src/server/server_http.c src/server/server_http.h \
	src/server/server_http_gate.c src/server/server_http_gate.h \
	src/server/server_http_metrics.c src/server/server_http_metrics.h \
	src/server/server_listen.c src/server/server_listen.h \
	src/server/server_log.c src/server/server_log.h \
	src/server/server_metrics.c src/server/server_metrics.h \
	src/server/server_options.c src/server/server_options.h \
	src/server/server_policy.c src/server/server_policy.h \
	src/server/server_token.c src/server/server_token.h \
	src/server/service.c src/server/service.h \
	src/server/service_notify.c src/server/service_notify.h

pkglibexec_PROGRAMS += agentsh-server
agentsh_server_SOURCES = src/server/main.c \
	src/server/cmd_acp.c src/server/cmd_approvals.c \
	src/server/cmd_bus.c src/server/cmd_bus_pub.c \
	src/server/cmd_bus_sub.c src/server/cmd_gateway.c src/server/cmd_guest.c \
	src/server/cmd_guest_call.c src/server/cmd_mcp.c \
	src/server/cmd_spaces.c \
	src/server/spaces_command.c src/server/spaces_command.h \
	src/server/server_commands.h \
	src/frontend/cli/command.c src/frontend/cli/command.h
agentsh_server_LDADD = $(FRONT_LIBS)

# Units of systemd, to copy to /etc/systemd/system, or a user's own.
unitdir = $(pkgdatadir)/systemd
nodist_unit_DATA = \
	share/systemd/agentsh-bus.service \
	share/systemd/agentsh-bus.socket \
	share/systemd/agentsh-gateway.service \
	share/systemd/agentsh-gateway.socket \
	share/systemd/agentsh-guest.service \
	share/systemd/agentsh-mcp.service \
	share/systemd/agentsh-mcp.socket
unit_sources = \
	src/server/systemd/agentsh-bus.service.in \
	src/server/systemd/agentsh-bus.socket.in \
	src/server/systemd/agentsh-gateway.service.in \
	src/server/systemd/agentsh-gateway.socket.in \
	src/server/systemd/agentsh-guest.service.in \
	src/server/systemd/agentsh-mcp.service.in \
	src/server/systemd/agentsh-mcp.socket.in
EXTRA_DIST += $(unit_sources)
CLEANFILES += $(nodist_unit_DATA)
$(nodist_unit_DATA): $(unit_sources) Makefile
	$(AM_V_GEN)$(MKDIR_P) share/systemd && \
	sed 's|[@]bindir@|$(bindir)|g' \
	  '$(srcdir)'/src/server/systemd/$(@F).in >$@

UNIT_TESTS += tests/unit/test_http_gate tests/unit/test_peer_table
SCRIPT_TESTS += tests/net/test_faults.py tests/net/test_local_peers.py \
	tests/net/test_service.py tests/net/test_smuggling.py \
	tests/net/test_tls.py
EXTRA_DIST += tests/net/agents_killed.py tests/net/drained.py \
	tests/net/faults.py tests/net/gateways.py tests/net/hidden_peer.py \
	tests/net/log_agent.py tests/net/nodes.py tests/net/peers_bad.py \
	tests/net/ports.py tests/net/wss_peer.py \
	tests/net/peers/run.py tests/net/peers/python_peer.py \
	tests/net/peers/mojo_peer.pl tests/net/peers/faye_peer.rb \
	tests/net/peers/node_peer.mjs tests/net/peers/gorilla_peer.go \
	tests/net/peers/libwebsockets_peer.c
