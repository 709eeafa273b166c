# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/model/agreed.c src/model/agreed.h
libagentsh_a_SOURCES += src/model/anthropic.c
libagentsh_a_SOURCES += src/model/ask.c src/model/ask.h
libagentsh_a_SOURCES += src/model/ask_turns.c
libagentsh_a_SOURCES += src/model/choice.h
libagentsh_a_SOURCES += src/model/choose.c src/model/choose.h
libagentsh_a_SOURCES += src/model/client.c src/model/client.h
libagentsh_a_SOURCES += src/model/context.c src/model/context.h
libagentsh_a_SOURCES += src/model/draft.c src/model/draft.h
libagentsh_a_SOURCES += src/model/fault.c src/model/fault.h
libagentsh_a_SOURCES += src/model/fault_quirk.c
libagentsh_a_SOURCES += src/model/fault_tell.c
libagentsh_a_SOURCES += src/model/field.c src/model/field.h
libagentsh_a_SOURCES += src/model/found.c src/model/found.h
libagentsh_a_SOURCES += src/model/gemini.c
libagentsh_a_SOURCES += src/model/key.c src/model/key.h
libagentsh_a_SOURCES += src/model/last_command.c src/model/last_command.h
libagentsh_a_SOURCES += src/model/learned.c src/model/learned.h
libagentsh_a_SOURCES += src/model/link.c src/model/link.h
libagentsh_a_SOURCES += src/model/listen.c src/model/listen.h
libagentsh_a_SOURCES += src/model/models.c src/model/models.h
libagentsh_a_SOURCES += src/model/ollama.c
libagentsh_a_SOURCES += src/model/openai.c
libagentsh_a_SOURCES += src/model/origin.c src/model/origin.h
libagentsh_a_SOURCES += src/model/pick.c src/model/pick.h
libagentsh_a_SOURCES += src/model/prompt.c src/model/prompt.h
libagentsh_a_SOURCES += src/model/provider.c src/model/provider.h
libagentsh_a_SOURCES += src/model/remembered.c src/model/remembered.h
libagentsh_a_SOURCES += src/model/request.c src/model/request.h
libagentsh_a_SOURCES += src/model/sse.c src/model/sse.h
libagentsh_a_SOURCES += src/model/start.c src/model/start.h
libagentsh_a_SOURCES += src/model/stream.c src/model/stream.h
libagentsh_a_SOURCES += src/model/variant.c src/model/variant.h
libagentsh_a_SOURCES += src/model/anthropic_turns.c src/model/anthropic_turns.h
libagentsh_a_SOURCES += src/model/gemini_turns.c src/model/gemini_turns.h
libagentsh_a_SOURCES += src/model/offer.c src/model/offer.h
libagentsh_a_SOURCES += src/model/plain.c src/model/plain.h
libagentsh_a_SOURCES += src/model/spoken.c src/model/spoken.h
libagentsh_a_SOURCES += src/model/turns.c src/model/turns.h
libagentsh_a_SOURCES += src/model/wants.c src/model/wants.h

# The front's half and what both halves share.

UNIT_TESTS += tests/unit/test_prompt
tests_unit_test_prompt_SOURCES = tests/unit/test_prompt.c
tests_unit_test_prompt_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_prompt_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_draft tests/unit/test_stream
tests_unit_test_draft_SOURCES = tests/unit/test_draft.c
tests_unit_test_draft_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_draft_LDADD = $(UNIT_LIBS)
EXTRA_DIST += tests/unit/streams.h
tests_unit_test_stream_SOURCES = tests/unit/test_stream.c
tests_unit_test_stream_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_stream_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_provider
tests_unit_test_provider_SOURCES = tests/unit/test_provider.c
tests_unit_test_provider_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_provider_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_fault
tests_unit_test_fault_SOURCES = tests/unit/test_fault.c
tests_unit_test_fault_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_fault_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_choose
tests_unit_test_choose_SOURCES = tests/unit/test_choose.c
tests_unit_test_choose_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_choose_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_found
tests_unit_test_found_SOURCES = tests/unit/test_found.c
tests_unit_test_found_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_found_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_pick
tests_unit_test_pick_SOURCES = tests/unit/test_pick.c
tests_unit_test_pick_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_pick_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_spoken
tests_unit_test_spoken_SOURCES = tests/unit/test_spoken.c
tests_unit_test_spoken_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_spoken_LDADD = $(UNIT_LIBS)
EXTRA_DIST += tests/unit/wanted.h
UNIT_TESTS += tests/unit/test_wants
tests_unit_test_wants_SOURCES = tests/unit/test_wants.c
tests_unit_test_wants_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_wants_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_offer
tests_unit_test_offer_SOURCES = tests/unit/test_offer.c
tests_unit_test_offer_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_offer_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_stream tests/fuzz/fuzz_fault
tests_fuzz_fuzz_stream_SOURCES = tests/fuzz/fuzz_stream.c
tests_fuzz_fuzz_stream_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_fault_SOURCES = tests/fuzz/fuzz_fault.c
tests_fuzz_fuzz_fault_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/stream tests/fuzz/corpus/fault
FUZZERS += tests/fuzz/fuzz_models
tests_fuzz_fuzz_models_SOURCES = tests/fuzz/fuzz_models.c
tests_fuzz_fuzz_models_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/models

# The one program that links libcurl.
pkglibexec_PROGRAMS += agentsh-model
agentsh_model_SOURCES = \
	src/model/process/backoff.c src/model/process/backoff.h \
	src/model/process/blame.c src/model/process/blame.h \
	src/model/process/emit.c src/model/process/emit.h \
	src/model/process/exchange.c src/model/process/exchange.h \
	src/model/process/job.c src/model/process/job.h \
	src/model/process/job_in.h \
	src/model/process/judge.c \
	src/model/process/main.c \
	src/model/process/origin.c src/model/process/origin.h \
	src/model/process/probe.c src/model/process/probe.h \
	src/model/process/pump.c src/model/process/pump.h \
	src/model/process/session.c src/model/process/session.h \
	src/model/process/tls.c src/model/process/tls.h
agentsh_model_CFLAGS = $(AM_CFLAGS) $(CURL_CFLAGS)
agentsh_model_LDADD = libagentsh.a $(CURL_LIBS) $(CJSON_LIBS)

UNIT_TESTS += tests/unit/test_context
tests_unit_test_context_SOURCES = tests/unit/test_context.c
tests_unit_test_context_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_context_LDADD = $(UNIT_LIBS)

# In the top folder, where it finds the process that it tests.
UNIT_TESTS += test_client
test_client_SOURCES = tests/unit/test_client.c
test_client_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_client_LDADD = $(UNIT_LIBS)
UNIT_TESTS += test_client_tools
test_client_tools_SOURCES = tests/unit/test_client_tools.c
test_client_tools_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_client_tools_LDADD = $(UNIT_LIBS)
EXTRA_DIST += tests/unit/served.h
UNIT_TESTS += tests/unit/test_listen
tests_unit_test_listen_SOURCES = tests/unit/test_listen.c
tests_unit_test_listen_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_listen_LDADD = $(UNIT_LIBS)
