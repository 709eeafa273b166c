# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/action/agent_loop.c src/action/agent_loop.h \
	src/action/aiaction.c src/action/aiaction.h \
	src/action/answer_schema.c src/action/answer_schema.h \
	src/action/approval.c src/action/approval.h \
	src/action/call_origin.c src/action/call_origin.h \
	src/action/callable_tools.c src/action/callable_tools.h \
	src/action/conversation.c src/action/conversation.h \
	src/action/errand.c src/action/errand.h \
	src/action/errand_check.c src/action/errand_check.h \
	src/action/errand_record.c src/action/errand_record.h \
	src/action/errand_sandbox.c src/action/errand_sandbox.h \
	src/action/error_triage.c src/action/error_triage.h \
	src/action/shell_exchange.c src/action/shell_exchange.h \
	src/action/grant.c src/action/grant.h \
	src/action/host_list.c src/action/host_list.h \
	src/action/json_extract.c src/action/json_extract.h \
	src/action/offline_proposal.c src/action/offline_proposal.h \
	src/action/plan.c src/action/plan.h \
	src/action/plan_steps.c src/action/plan_steps.h \
	src/action/proposal.c src/action/proposal.h \
	src/action/remote_host.c src/action/remote_host.h \
	src/action/remote_link.c src/action/remote_link.h \
	src/action/remote_run.c src/action/remote_run.h \
	src/action/request_message.c src/action/request_message.h \
	src/action/run_audit.c src/action/run_audit.h \
	src/action/shell_memory.c src/action/shell_memory.h \
	src/action/step_results.c src/action/step_results.h \
	src/action/step_run.c src/action/step_run.h \
	src/action/step_tools.c src/action/step_tools.h \
	src/action/step_sandbox.c src/action/step_sandbox.h \
	src/action/step_verdict.c src/action/step_verdict.h \
	src/action/sudo_line.c src/action/sudo_line.h \
	src/action/terminal_step.c src/action/terminal_step.h \
	src/action/summary_stream.c src/action/summary_stream.h \
	src/action/tool_loop.c src/action/tool_loop.h \
	src/action/turn.c src/action/turn.h \
	src/action/turn_model.c src/action/turn_model.h \
	src/action/turn_offline.c src/action/turn_offline.h \
	src/action/undo_apply.c \
	src/action/undo_attributes.c src/action/undo_attributes.h \
	src/action/undo_call.c src/action/undo_call.h \
	src/action/undo_files.c src/action/undo_files.h \
	src/action/undo_keep.c src/action/undo_keep.h \
	src/action/undo_list.c src/action/undo_list.h \
	src/action/undo_paths.c src/action/undo_paths.h \
	src/action/undo_record.c src/action/undo_record.h \
	src/action/undo_run.c src/action/undo_run.h \
	src/action/undo_store.c src/action/undo_store.h \
	src/action/undo_plan.c src/action/undo_plan.h \
	src/action/undo_view.c src/action/undo_view.h \
	src/action/user_request.h

UNIT_TESTS += \
	test_errand \
	test_step_verdict \
	tests/unit/test_aiaction \
	tests/unit/test_answer_schema \
	tests/unit/test_conversation \
	tests/unit/test_error_triage \
	tests/unit/test_host_list \
	tests/unit/test_offline_proposal \
	tests/unit/test_run_audit \
	tests/unit/test_shell_memory \
	tests/unit/test_step_results \
	tests/unit/test_sudo_line \
	tests/unit/test_summary_stream \
	tests/unit/test_undo_store

FUZZERS += tests/fuzz/fuzz_aiaction tests/fuzz/fuzz_error_triage

tests_unit_test_shell_memory_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(SQLITE_CFLAGS)
tests_unit_test_shell_memory_LDADD = $(RECORD_TEST_LIBS)

# In the top folder, where they find the tools that they judge and call.
test_errand_SOURCES = tests/unit/test_errand.c
test_step_verdict_SOURCES = tests/unit/test_step_verdict.c

