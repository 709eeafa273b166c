# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/model/api_key.c src/model/api_key.h \
	src/model/client.c src/model/client.h \
	src/model/cost.c src/model/cost.h \
	src/model/discovery.c src/model/discovery.h \
	src/model/discovery_cache.c src/model/discovery_cache.h \
	src/model/image.c src/model/image.h \
	src/model/ipc.c src/model/ipc.h \
	src/model/model_dirs.c src/model/model_dirs.h \
	src/model/model_memory.c src/model/model_memory.h \
	src/model/model_process.c src/model/model_process.h \
	src/model/model_rank.c src/model/model_rank.h \
	src/model/price.c src/model/price.h \
	src/model/process_pipe.c src/model/process_pipe.h \
	src/model/process_start.c src/model/process_start.h \
	src/model/prompt/context.c src/model/prompt/context.h \
	src/model/prompt/last_command.c src/model/prompt/last_command.h \
	src/model/prompt/origin.c src/model/prompt/origin.h \
	src/model/prompt/prompt.c src/model/prompt/prompt.h \
	src/model/provider/anthropic.c \
	src/model/provider/api_error.c src/model/provider/api_error.h \
	src/model/provider/api_error_report.c \
	src/model/provider/api_error_report.h \
	src/model/provider/chat_messages.c src/model/provider/chat_messages.h \
	src/model/provider/content_blocks.c \
	src/model/provider/content_blocks.h \
	src/model/provider/default_models.c \
	src/model/provider/default_models.h \
	src/model/provider/effort.c src/model/provider/effort.h \
	src/model/provider/gemini.c \
	src/model/provider/host_features.c src/model/provider/host_features.h \
	src/model/provider/ollama.c \
	src/model/provider/openai.c \
	src/model/provider/prompt_size.c src/model/provider/prompt_size.h \
	src/model/provider/provider.c src/model/provider/provider.h \
	src/model/provider/provider_shape.c \
	src/model/provider/provider_table.c \
	src/model/provider/provider_table.h \
	src/model/provider/reasoning.c src/model/provider/reasoning.h \
	src/model/provider/response.c src/model/provider/response.h \
	src/model/provider/responses.c src/model/provider/responses.h \
	src/model/provider/schema_dialect.c \
	src/model/provider/schema_dialect.h \
	src/model/provider/shown_text.c src/model/provider/shown_text.h \
	src/model/provider/stream.c src/model/provider/stream.h \
	src/model/provider/tool_calls.c src/model/provider/tool_calls.h \
	src/model/provider/tool_declarations.c \
	src/model/provider/tool_declarations.h \
	src/model/provider/tool_fallback.c src/model/provider/tool_fallback.h \
	src/model/query_table.c src/model/query_table.h \
	src/model/quirk_cache.c src/model/quirk_cache.h \
	src/model/request.c src/model/request.h \
	src/model/request_copy.c src/model/request_copy.h \
	src/model/select.c src/model/select.h \
	src/model/selection.c src/model/selection.h \
	src/model/server_consent.c src/model/server_consent.h \
	src/model/tcp_listeners.c src/model/tcp_listeners.h \
	src/model/warm_process.c src/model/warm_process.h

# The prices that are installed. Programs in the build tree find a copy.
dist_pkgdata_DATA = src/model/prices
noinst_DATA += share/prices
CLEANFILES += share/prices
share/prices: src/model/prices
	$(AM_V_GEN)$(MKDIR_P) share && cp $(srcdir)/src/model/prices $@

# The two programs that link libcurl.
pkglibexec_PROGRAMS += agentsh-model
model_process_sources = \
	src/model/process/connections.c src/model/process/connections.h \
	src/model/process/curl_loop.c src/model/process/curl_loop.h \
	src/model/process/events.c src/model/process/events.h \
	src/model/process/find_model.c src/model/process/find_model.h \
	src/model/process/http_error.c src/model/process/http_error.h \
	src/model/process/http_request.c src/model/process/http_request.h \
	src/model/process/http_util.c src/model/process/http_util.h \
	src/model/process/retry.c src/model/process/retry.h \
	src/model/process/list_models.c src/model/process/list_models.h \
	src/model/process/local_host.c src/model/process/local_host.h \
	src/model/process/provider_query.c src/model/process/provider_query.h \
	src/model/process/session.c src/model/process/session.h
agentsh_model_SOURCES = src/model/process/main.c $(model_process_sources)
agentsh_model_CFLAGS = $(AM_CFLAGS) $(CURL_CFLAGS)
agentsh_model_LDADD = libagentsh.a $(CURL_LIBS) $(CJSON_LIBS)

pkglibexec_PROGRAMS += agentsh-mcp-http
agentsh_mcp_http_SOURCES = \
	src/model/mcp_http/bridge.c src/model/mcp_http/bridge.h \
	src/model/mcp_http/endpoint.c src/model/mcp_http/endpoint.h \
	src/model/mcp_http/exchange.c src/model/mcp_http/exchange.h \
	src/model/mcp_http/main.c \
	src/model/mcp_http/post.c src/model/mcp_http/post.h \
	src/model/mcp_http/request_headers.c \
	src/model/mcp_http/request_headers.h \
	src/model/mcp_http/tool_schemas.c src/model/mcp_http/tool_schemas.h \
	src/model/process/connections.c \
	src/model/process/curl_loop.c \
	src/model/process/http_error.c \
	src/model/process/http_request.c \
	src/model/process/http_util.c \
	src/model/process/local_host.c
agentsh_mcp_http_CFLAGS = $(AM_CFLAGS) $(CURL_CFLAGS)
agentsh_mcp_http_LDADD = libagentsh.a $(CURL_LIBS) $(CJSON_LIBS)

UNIT_TESTS += \
	test_client \
	test_client_tools \
	test_model_process \
	test_model_search \
	tests/unit/test_api_error \
	tests/unit/test_cost \
	tests/unit/test_context \
	tests/unit/test_default_models \
	tests/unit/test_discovery \
	tests/unit/test_image \
	tests/unit/test_model_rank \
	tests/unit/test_price \
	tests/unit/test_prompt \
	tests/unit/test_prompt_size \
	tests/unit/test_provider \
	tests/unit/test_query_table \
	tests/unit/test_reasoning \
	tests/unit/test_response \
	tests/unit/test_responses \
	tests/unit/test_select \
	tests/unit/test_stream \
	tests/unit/test_tcp_listeners \
	tests/unit/test_tool_calls \
	tests/unit/test_tool_declarations \
	tests/unit/test_tool_fallback

# In the top folder, where they find the process that they test.
test_client_SOURCES = tests/unit/test_client.c
test_client_tools_SOURCES = tests/unit/test_client_tools.c
test_model_process_SOURCES = tests/unit/test_model_process.c
test_model_search_SOURCES = tests/unit/test_model_search.c
EXTRA_DIST += tests/unit/served.h tests/unit/streams.h tests/unit/tool_calls.h

SCRIPT_TESTS += tests/model/test_line.py tests/model/test_queries.py
# The model process without its confinement, where its leaks can be found.
if SANITIZE
check_PROGRAMS += tests/model/unconfined
endif
tests_model_unconfined_SOURCES = \
	tests/model/unconfined.c $(model_process_sources)
tests_model_unconfined_CFLAGS = $(agentsh_model_CFLAGS)
tests_model_unconfined_LDADD = $(agentsh_model_LDADD)

FUZZERS += \
	tests/fuzz/fuzz_api_error \
	tests/fuzz/fuzz_model_rank \
	tests/fuzz/fuzz_price \
	tests/fuzz/fuzz_stream
