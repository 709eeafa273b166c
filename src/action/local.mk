# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/action/aiaction.c src/action/aiaction.h
libagentsh_a_SOURCES += src/action/aiaction_in.h
libagentsh_a_SOURCES += src/action/aiaction_read.c
libagentsh_a_SOURCES += src/action/aiaction_tool.c
libagentsh_a_SOURCES += src/action/extract.c src/action/extract.h
libagentsh_a_SOURCES += src/action/grant.c src/action/grant.h
libagentsh_a_SOURCES += src/action/inquiry.c src/action/inquiry.h
libagentsh_a_SOURCES += src/action/judge.c src/action/judge.h
libagentsh_a_SOURCES += src/action/judge_call.c
libagentsh_a_SOURCES += src/action/judge_in.h
libagentsh_a_SOURCES += src/action/judge_digest.c
libagentsh_a_SOURCES += src/action/known.c src/action/known.h
libagentsh_a_SOURCES += src/action/look.c src/action/look.h
libagentsh_a_SOURCES += src/action/look_call.c
libagentsh_a_SOURCES += src/action/look_in.h
libagentsh_a_SOURCES += src/action/look_offer.c
libagentsh_a_SOURCES += src/action/outcome.c src/action/outcome.h
libagentsh_a_SOURCES += src/action/plan.c src/action/plan.h
libagentsh_a_SOURCES += src/action/plan_in.h
libagentsh_a_SOURCES += src/action/plan_step.c
libagentsh_a_SOURCES += src/action/summary.c src/action/summary.h
libagentsh_a_SOURCES += src/action/talk.c src/action/talk.h

UNIT_TESTS += tests/unit/test_aiaction tests/unit/test_summary
tests_unit_test_aiaction_SOURCES = tests/unit/test_aiaction.c
tests_unit_test_aiaction_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_aiaction_LDADD = $(UNIT_LIBS)
tests_unit_test_summary_SOURCES = tests/unit/test_summary.c
tests_unit_test_summary_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_summary_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_aiaction
tests_fuzz_fuzz_aiaction_SOURCES = tests/fuzz/fuzz_aiaction.c
tests_fuzz_fuzz_aiaction_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/aiaction

# In the top folder, where it finds the tools that it judges.
UNIT_TESTS += test_judge
test_judge_SOURCES = tests/unit/test_judge.c
test_judge_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_judge_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_talk
tests_unit_test_talk_SOURCES = tests/unit/test_talk.c
tests_unit_test_talk_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_talk_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_outcome
tests_unit_test_outcome_SOURCES = tests/unit/test_outcome.c
tests_unit_test_outcome_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_outcome_LDADD = $(UNIT_LIBS)
