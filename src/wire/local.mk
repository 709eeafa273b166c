# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/wire/address.c src/wire/address.h \
	src/wire/event_stream.c src/wire/event_stream.h \
	src/wire/guest_ssh.c src/wire/guest_ssh.h \
	src/wire/http_chunks.c src/wire/http_chunks.h \
	src/wire/http_client.c src/wire/http_client.h \
	src/wire/http_connection.c src/wire/http_connection.h \
	src/wire/http_fields.c src/wire/http_fields.h \
	src/wire/http_parser.c src/wire/http_parser.h \
	src/wire/http_reply.c src/wire/http_reply.h \
	src/wire/http_response.c src/wire/http_response.h \
	src/wire/jsonrpc.c src/wire/jsonrpc.h \
	src/wire/line_reader.c src/wire/line_reader.h \
	src/wire/lingering_close.c src/wire/lingering_close.h \
	src/wire/listener.c src/wire/listener.h \
	src/wire/openssl.c src/wire/openssl.h \
	src/wire/nats.h src/wire/nats_library.h \
	src/wire/peer_check.c src/wire/peer_check.h \
	src/wire/relay_nats.c src/wire/relay_nats.h \
	src/wire/relay_carried.c src/wire/relay_carried.h \
	src/wire/relay_held.c src/wire/relay_held.h \
	src/wire/relay_nodes.c src/wire/relay_nodes.h \
	src/wire/relay_pending.c src/wire/relay_pending.h \
	src/wire/relay_record.c src/wire/relay_record.h \
	src/wire/relay_stream.c src/wire/relay_stream.h \
	src/wire/relay_unsettled.c src/wire/relay_unsettled.h \
	src/wire/parse_thread.c src/wire/parse_thread.h \
	src/wire/read_buffer.c src/wire/read_buffer.h \
	src/wire/relay.c src/wire/relay.h \
	src/wire/rpc.c src/wire/rpc.h \
	src/wire/rpc_calls.c src/wire/rpc_calls.h \
	src/wire/rpc_carrier.h \
	src/wire/rpc_dispatch.c src/wire/rpc_dispatch.h \
	src/wire/rpc_requests.c src/wire/rpc_requests.h \
	src/wire/sender.c src/wire/sender.h \
	src/wire/rpc_websocket.c src/wire/rpc_websocket.h \
	src/wire/socket_holder.c src/wire/socket_holder.h \
	src/wire/stall.c src/wire/stall.h \
	src/wire/tcp_ends.c src/wire/tcp_ends.h \
	src/wire/tcp_peer.c src/wire/tcp_peer.h \
	src/wire/tcp_peer_diag.c src/wire/tcp_peer_diag.h \
	src/wire/tcp_peer_proc.c src/wire/tcp_peer_proc.h \
	src/wire/tls.c src/wire/tls.h \
	src/wire/tls_acceptor.c src/wire/tls_acceptor.h \
	src/wire/tls_context.c src/wire/tls_context.h \
	src/wire/tls_handshake.c src/wire/tls_handshake.h \
	src/wire/websocket.c src/wire/websocket.h \
	src/wire/websocket_client.c src/wire/websocket_client.h \
	src/wire/websocket_frame.c src/wire/websocket_frame.h \
	src/wire/websocket_handshake.c src/wire/websocket_handshake.h \
	src/wire/websocket_message.c src/wire/websocket_message.h

UNIT_TESTS += tests/unit/test_event_stream tests/unit/test_http_client \
	tests/unit/test_http_connection \
	tests/unit/test_http_parser tests/unit/test_http_reply \
	tests/unit/test_jsonrpc \
	tests/unit/test_line_reader tests/unit/test_lingering_close \
	tests/unit/test_listener tests/unit/test_rpc \
	tests/unit/test_rpc_calls tests/unit/test_sender \
	tests/unit/test_stall tests/unit/test_tcp_peer tests/unit/test_tls \
	tests/unit/test_websocket \
	tests/unit/test_websocket_client
FUZZERS += tests/fuzz/fuzz_event_stream tests/fuzz/fuzz_http_request tests/fuzz/fuzz_jsonrpc tests/fuzz/fuzz_rpc \
	tests/fuzz/fuzz_websocket

tests_unit_test_rpc_SOURCES = tests/unit/test_rpc.c \
	tests/unit/rpc_sides.c tests/unit/rpc_sides.h
tests_unit_test_rpc_calls_SOURCES = tests/unit/test_rpc_calls.c \
	tests/unit/rpc_sides.c tests/unit/rpc_sides.h
tests_unit_test_tls_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(OPENSSL_CFLAGS)
tests_unit_test_tls_LDADD = $(LDADD) $(OPENSSL_LIBS)

if HAVE_NATS
libagentsh_a_SOURCES += src/wire/nats.c src/wire/nats_library.c
UNIT_TESTS += tests/unit/test_nats tests/unit/test_relay_join \
	tests/unit/test_relay_nats tests/unit/test_relay_stream
else
libagentsh_a_SOURCES += src/wire/nats_none.c
endif
EXTRA_DIST += src/wire/nats_none.c tests/unit/test_nats.c \
	tests/unit/test_relay_join.c tests/unit/test_relay_nats.c \
	tests/unit/test_relay_stream.c tests/unit/relay_side.c \
	tests/unit/relay_side.h tests/unit/nats_server.c \
	tests/unit/nats_server.h

tests_unit_test_nats_SOURCES = tests/unit/test_nats.c \
	tests/unit/nats_server.c tests/unit/nats_server.h
tests_unit_test_relay_stream_SOURCES = tests/unit/test_relay_stream.c \
	tests/unit/nats_server.c
relay_side = tests/unit/relay_side.c tests/unit/relay_side.h \
	tests/unit/nats_server.c tests/unit/nats_server.h
tests_unit_test_relay_nats_SOURCES = tests/unit/test_relay_nats.c $(relay_side)
tests_unit_test_relay_join_SOURCES = tests/unit/test_relay_join.c $(relay_side)
