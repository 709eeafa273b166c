# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/model/api_key.c src/model/api_key.h \
	src/model/client.c src/model/client.h \
	src/model/discovery.c src/model/discovery.h \
	src/model/discovery_cache.c src/model/discovery_cache.h \
	src/model/ipc.c src/model/ipc.h \
	src/model/model_rank.c src/model/model_rank.h \
	src/model/process_pipe.c src/model/process_pipe.h \
	src/model/quirk_cache.c src/model/quirk_cache.h \
	src/model/request.c src/model/request.h \
	src/model/select.c src/model/select.h \
	src/model/selection.h \
	src/model/server_consent.c src/model/server_consent.h \
	src/model/tcp_listeners.c src/model/tcp_listeners.h \
	src/model/prompt/context.c src/model/prompt/context.h \
	src/model/prompt/last_command.c src/model/prompt/last_command.h \
	src/model/prompt/origin.c src/model/prompt/origin.h \
	src/model/prompt/prompt.c src/model/prompt/prompt.h \
	src/model/provider/anthropic.c \
	src/model/provider/api_error.c src/model/provider/api_error.h \
	src/model/provider/api_error_report.c \
	src/model/provider/api_error_report.h \
	src/model/provider/chat_messages.c src/model/provider/chat_messages.h \
	src/model/provider/gemini.c \
	src/model/provider/ollama.c \
	src/model/provider/openai.c \
	src/model/provider/provider.c src/model/provider/provider.h \
	src/model/provider/provider_table.c src/model/provider/provider_table.h \
	src/model/provider/response.c src/model/provider/response.h \
	src/model/provider/schema_dialect.c src/model/provider/schema_dialect.h \
	src/model/provider/stream.c src/model/provider/stream.h \
	src/model/provider/tool_calls.c src/model/provider/tool_calls.h \
	src/model/provider/tool_declarations.c \
	src/model/provider/tool_declarations.h \
	src/model/provider/tool_fallback.c src/model/provider/tool_fallback.h

# The one program that links libcurl.
pkglibexec_PROGRAMS += agentsh-model
agentsh_model_SOURCES = \
	src/model/process/curl_loop.c src/model/process/curl_loop.h \
	src/model/process/events.c src/model/process/events.h \
	src/model/process/http_error.c src/model/process/http_error.h \
	src/model/process/http_request.c src/model/process/http_request.h \
	src/model/process/http_util.c src/model/process/http_util.h \
	src/model/process/list_models.c src/model/process/list_models.h \
	src/model/process/main.c \
	src/model/process/provider_query.c src/model/process/provider_query.h
agentsh_model_CFLAGS = $(AM_CFLAGS) $(CURL_CFLAGS)
agentsh_model_LDADD = libagentsh.a $(CURL_LIBS) $(CJSON_LIBS)

UNIT_TESTS += tests/unit/test_api_error
tests_unit_test_api_error_SOURCES = tests/unit/test_api_error.c
tests_unit_test_api_error_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_api_error_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_context
tests_unit_test_context_SOURCES = tests/unit/test_context.c
tests_unit_test_context_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_context_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_discovery
tests_unit_test_discovery_SOURCES = tests/unit/test_discovery.c
tests_unit_test_discovery_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_discovery_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_model_rank
tests_unit_test_model_rank_SOURCES = tests/unit/test_model_rank.c
tests_unit_test_model_rank_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_model_rank_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_prompt
tests_unit_test_prompt_SOURCES = tests/unit/test_prompt.c
tests_unit_test_prompt_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_prompt_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_provider
tests_unit_test_provider_SOURCES = tests/unit/test_provider.c
tests_unit_test_provider_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_provider_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_response
tests_unit_test_response_SOURCES = tests/unit/test_response.c
tests_unit_test_response_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_response_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_select
tests_unit_test_select_SOURCES = tests/unit/test_select.c
tests_unit_test_select_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_select_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_stream
tests_unit_test_stream_SOURCES = tests/unit/test_stream.c
tests_unit_test_stream_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_stream_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_tcp_listeners
tests_unit_test_tcp_listeners_SOURCES = tests/unit/test_tcp_listeners.c
tests_unit_test_tcp_listeners_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_tcp_listeners_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_tool_calls
tests_unit_test_tool_calls_SOURCES = tests/unit/test_tool_calls.c
tests_unit_test_tool_calls_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_tool_calls_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_tool_declarations
tests_unit_test_tool_declarations_SOURCES = tests/unit/test_tool_declarations.c
tests_unit_test_tool_declarations_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_tool_declarations_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_tool_fallback
tests_unit_test_tool_fallback_SOURCES = tests/unit/test_tool_fallback.c
tests_unit_test_tool_fallback_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_tool_fallback_LDADD = $(UNIT_LIBS)

# In the top folder, where they find the process that they test.
UNIT_TESTS += test_client
test_client_SOURCES = tests/unit/test_client.c
test_client_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_client_LDADD = $(UNIT_LIBS)
UNIT_TESTS += test_client_tools
test_client_tools_SOURCES = tests/unit/test_client_tools.c
test_client_tools_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_client_tools_LDADD = $(UNIT_LIBS)
EXTRA_DIST += tests/unit/served.h tests/unit/streams.h tests/unit/tool_calls.h

FUZZERS += tests/fuzz/fuzz_api_error
tests_fuzz_fuzz_api_error_SOURCES = tests/fuzz/fuzz_api_error.c
tests_fuzz_fuzz_api_error_LDADD = $(FUZZ_LIBS)
FUZZERS += tests/fuzz/fuzz_model_rank
tests_fuzz_fuzz_model_rank_SOURCES = tests/fuzz/fuzz_model_rank.c
tests_fuzz_fuzz_model_rank_LDADD = $(FUZZ_LIBS)
FUZZERS += tests/fuzz/fuzz_stream
tests_fuzz_fuzz_stream_SOURCES = tests/fuzz/fuzz_stream.c
tests_fuzz_fuzz_stream_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/api_error tests/fuzz/corpus/model_rank
EXTRA_DIST += tests/fuzz/corpus/stream
