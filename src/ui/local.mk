# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/ui/answer.c src/ui/answer.h
libagentsh_a_SOURCES += src/ui/app.c src/ui/app.h
libagentsh_a_SOURCES += src/ui/assist.c src/ui/assist.h
libagentsh_a_SOURCES += src/ui/audit.c src/ui/audit.h
libagentsh_a_SOURCES += src/ui/audit_log.c src/ui/audit_log.h
libagentsh_a_SOURCES += src/ui/audit_run.c
libagentsh_a_SOURCES += src/ui/audit_verify.c
libagentsh_a_SOURCES += src/ui/command_text.c src/ui/command_text.h
libagentsh_a_SOURCES += src/ui/consent.c src/ui/consent.h
libagentsh_a_SOURCES += src/ui/editor.c src/ui/editor.h
libagentsh_a_SOURCES += src/ui/error_triage.c src/ui/error_triage.h
libagentsh_a_SOURCES += src/ui/explain_view.c src/ui/explain_view.h
libagentsh_a_SOURCES += src/ui/hook_text.h
libagentsh_a_SOURCES += src/ui/model_query.c src/ui/model_query.h
libagentsh_a_SOURCES += src/ui/offline_answer.c src/ui/offline_answer.h
libagentsh_a_SOURCES += src/ui/options.c src/ui/options.h
libagentsh_a_SOURCES += src/ui/plan_text.c src/ui/plan_text.h
libagentsh_a_SOURCES += src/ui/preview.c src/ui/preview.h
libagentsh_a_SOURCES += src/ui/preview_text.c src/ui/preview_text.h
libagentsh_a_SOURCES += src/ui/prompt_insert.c src/ui/prompt_insert.h
libagentsh_a_SOURCES += src/ui/proposal.c src/ui/proposal.h
libagentsh_a_SOURCES += src/ui/pty_relay.c src/ui/pty_relay.h
libagentsh_a_SOURCES += src/ui/report_json.c src/ui/report_json.h
libagentsh_a_SOURCES += src/ui/review.c src/ui/review.h
libagentsh_a_SOURCES += src/ui/review_grant.c
libagentsh_a_SOURCES += src/ui/review_menu.c src/ui/review_menu.h
libagentsh_a_SOURCES += src/ui/rule_proposal.c src/ui/rule_proposal.h
libagentsh_a_SOURCES += src/ui/run_plan.c src/ui/run_plan.h
libagentsh_a_SOURCES += src/ui/run_status.c
libagentsh_a_SOURCES += src/ui/sandbox_denial.c src/ui/sandbox_denial.h
libagentsh_a_SOURCES += src/ui/shell_hook.c src/ui/shell_hook.h
libagentsh_a_SOURCES += src/ui/stdin_input.c src/ui/stdin_input.h
libagentsh_a_SOURCES += src/ui/step_output.c src/ui/step_output.h
libagentsh_a_SOURCES += src/ui/step_remarks.c src/ui/step_remarks.h
libagentsh_a_SOURCES += src/ui/stop_signals.c src/ui/stop_signals.h
libagentsh_a_SOURCES += src/ui/suggestions.c src/ui/suggestions.h
libagentsh_a_SOURCES += src/ui/text_options.c src/ui/text_options.h
libagentsh_a_SOURCES += src/ui/user_message.c src/ui/user_message.h
libagentsh_a_SOURCES += src/ui/user_shell.c src/ui/user_shell.h

UNIT_TESTS += tests/unit/test_error_triage
tests_unit_test_error_triage_SOURCES = tests/unit/test_error_triage.c
tests_unit_test_error_triage_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_error_triage_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_offline_answer
tests_unit_test_offline_answer_SOURCES = tests/unit/test_offline_answer.c
tests_unit_test_offline_answer_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_offline_answer_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_shell_hook
tests_unit_test_shell_hook_SOURCES = tests/unit/test_shell_hook.c
tests_unit_test_shell_hook_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_shell_hook_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_step_output
tests_unit_test_step_output_SOURCES = tests/unit/test_step_output.c
tests_unit_test_step_output_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_step_output_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_user_shell
tests_unit_test_user_shell_SOURCES = tests/unit/test_user_shell.c
tests_unit_test_user_shell_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_user_shell_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_error_triage
tests_fuzz_fuzz_error_triage_SOURCES = tests/fuzz/fuzz_error_triage.c
tests_fuzz_fuzz_error_triage_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/error_triage

TESTS += tests/cli/text.bats
EXTRA_DIST += tests/cli/text.bats
TESTS += tests/cli/unaided.bats
EXTRA_DIST += tests/cli/unaided.bats
TESTS += tests/tty/test_look.py
EXTRA_DIST += tests/tty/test_look.py
TESTS += tests/tty/test_look_shown.py
EXTRA_DIST += tests/tty/test_look_shown.py
TESTS += tests/tty/test_origin.py
EXTRA_DIST += tests/tty/test_origin.py
