# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/mcp/mcp_answer.c src/server/mcp/mcp_answer.h \
	src/server/mcp/mcp_catalog.c src/server/mcp/mcp_catalog.h \
	src/server/mcp/mcp_client.c src/server/mcp/mcp_client.h \
	src/server/mcp/mcp_http_events.c src/server/mcp/mcp_http_events.h \
	src/server/mcp/mcp_http_headers.c src/server/mcp/mcp_http_headers.h \
	src/server/mcp/mcp_http_resource.c src/server/mcp/mcp_http_resource.h \
	src/server/mcp/mcp_http_server.c src/server/mcp/mcp_http_server.h \
	src/server/mcp/mcp_http_session.c src/server/mcp/mcp_http_session.h \
	src/server/mcp/mcp_invocation.c src/server/mcp/mcp_invocation.h \
	src/server/mcp/mcp_journal_job.c src/server/mcp/mcp_journal_job.h \
	src/server/mcp/mcp_journal_read.c src/server/mcp/mcp_journal_read.h \
	src/server/mcp/mcp_progress.c src/server/mcp/mcp_progress.h \
	src/server/mcp/mcp_prompt.c src/server/mcp/mcp_prompt.h \
	src/server/mcp/mcp_question.c src/server/mcp/mcp_question.h \
	src/server/mcp/mcp_queue.c src/server/mcp/mcp_queue.h \
	src/server/mcp/mcp_record.c src/server/mcp/mcp_record.h \
	src/server/mcp/mcp_reply.c src/server/mcp/mcp_reply.h \
	src/server/mcp/mcp_request.c src/server/mcp/mcp_request.h \
	src/server/mcp/mcp_resource.c src/server/mcp/mcp_resource.h \
	src/server/mcp/mcp_service.c src/server/mcp/mcp_service.h \
	src/server/mcp/mcp_shared.h \
	src/server/mcp/mcp_subscription.c src/server/mcp/mcp_subscription.h \
	src/server/mcp/mcp_task.c src/server/mcp/mcp_task.h \
	src/server/mcp/mcp_ticket.c src/server/mcp/mcp_ticket.h \
	src/server/mcp/mcp_toolset.c src/server/mcp/mcp_toolset.h

# The first of them wait the longest.
SCRIPT_TESTS += tests/mcp/test_server_tasks.py \
	tests/mcp/test_server_hostile.py tests/mcp/test_http_hostile.py \
	tests/mcp/test_http_peers.py tests/mcp/test_http_resource.py \
	tests/mcp/test_http_sessions.py tests/mcp/test_http_server.py \
	tests/mcp/test_server.py tests/mcp/test_server_manual.py \
	tests/mcp/test_server_others.py tests/mcp/test_server_requests.py
FUZZERS += tests/fuzz/fuzz_mcp_server
EXTRA_DIST += tests/mcp/client.py tests/mcp/soak.py tests/mcp/fake_fixtures.py \
	tests/mcp/http_sdk.mjs tests/mcp/web.py
