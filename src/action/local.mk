# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/action/agent_loop.c src/action/agent_loop.h
libagentsh_a_SOURCES += src/action/aiaction.c src/action/aiaction.h
libagentsh_a_SOURCES += src/action/conversation.c src/action/conversation.h
libagentsh_a_SOURCES += src/action/grant.c src/action/grant.h
libagentsh_a_SOURCES += src/action/json_extract.c src/action/json_extract.h
libagentsh_a_SOURCES += src/action/plan.c src/action/plan.h
libagentsh_a_SOURCES += src/action/step_results.c src/action/step_results.h
libagentsh_a_SOURCES += src/action/step_run.c src/action/step_run.h
libagentsh_a_SOURCES += src/action/step_tools.c src/action/step_tools.h
libagentsh_a_SOURCES += src/action/step_verdict.c src/action/step_verdict.h
libagentsh_a_SOURCES += src/action/summary_stream.c src/action/summary_stream.h
libagentsh_a_SOURCES += src/action/callable_tools.c \
	src/action/callable_tools.h
libagentsh_a_SOURCES += src/action/tool_loop.c src/action/tool_loop.h

UNIT_TESTS += tests/unit/test_aiaction tests/unit/test_summary_stream
tests_unit_test_aiaction_SOURCES = tests/unit/test_aiaction.c
tests_unit_test_aiaction_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_aiaction_LDADD = $(UNIT_LIBS)
tests_unit_test_summary_stream_SOURCES = tests/unit/test_summary_stream.c
tests_unit_test_summary_stream_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_summary_stream_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_aiaction
tests_fuzz_fuzz_aiaction_SOURCES = tests/fuzz/fuzz_aiaction.c
tests_fuzz_fuzz_aiaction_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/aiaction

# In the top folder, where it finds the tools that it judges.
UNIT_TESTS += test_step_verdict
test_step_verdict_SOURCES = tests/unit/test_step_verdict.c
test_step_verdict_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_step_verdict_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_conversation
tests_unit_test_conversation_SOURCES = tests/unit/test_conversation.c
tests_unit_test_conversation_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_conversation_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_step_results
tests_unit_test_step_results_SOURCES = tests/unit/test_step_results.c
tests_unit_test_step_results_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_step_results_LDADD = $(UNIT_LIBS)
