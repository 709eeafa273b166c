# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/ui/answer.c src/ui/answer.h \
	src/ui/app.c src/ui/app.h \
	src/ui/assist.c src/ui/assist.h \
	src/ui/assist_turn.c src/ui/assist_turn.h \
	src/ui/audit_cost.c \
	src/ui/audit_log.c src/ui/audit_log.h \
	src/ui/audit_run.c \
	src/ui/audit_verify.c \
	src/ui/command_text.c src/ui/command_text.h \
	src/ui/consent.c src/ui/consent.h \
	src/ui/editor.c src/ui/editor.h \
	src/ui/explain_view.c src/ui/explain_view.h \
	src/ui/fix.c src/ui/fix.h \
	src/ui/fix_candidates.c src/ui/fix_candidates.h \
	src/ui/fix_request.c src/ui/fix_request.h \
	src/ui/host_lines.c src/ui/host_lines.h \
	src/ui/hook_text.h \
	src/ui/model_progress.c src/ui/model_progress.h \
	src/ui/model_setup.c src/ui/model_setup.h \
	src/ui/model_try.c src/ui/model_try.h \
	src/ui/options.c src/ui/options.h \
	src/ui/pane_text.c src/ui/pane_text.h \
	src/ui/plan_file.c src/ui/plan_file.h \
	src/ui/plan_text.c src/ui/plan_text.h \
	src/ui/preview.c src/ui/preview.h \
	src/ui/preview_text.c src/ui/preview_text.h \
	src/ui/prompt_insert.c src/ui/prompt_insert.h \
	src/ui/prompt_line.c src/ui/prompt_line.h \
	src/ui/session_file.c src/ui/session_file.h \
	src/ui/shell_change.c src/ui/shell_change.h \
	src/ui/pty_relay.c src/ui/pty_relay.h \
	src/ui/report_json.c src/ui/report_json.h \
	src/ui/rerun.c src/ui/rerun.h \
	src/ui/rerun_place.c src/ui/rerun_place.h \
	src/ui/review.c src/ui/review.h \
	src/ui/review_grant.c \
	src/ui/review_menu.c src/ui/review_menu.h \
	src/ui/rule_proposal.c src/ui/rule_proposal.h \
	src/ui/run_plan.c src/ui/run_plan.h \
	src/ui/run_status.c \
	src/ui/sandbox_denial.c src/ui/sandbox_denial.h \
	src/ui/shell_hook.c src/ui/shell_hook.h \
	src/ui/plain_text.c src/ui/plain_text.h \
	src/ui/tmux_text.c src/ui/tmux_text.h \
	src/ui/stdin_input.c src/ui/stdin_input.h \
	src/ui/step_output.c src/ui/step_output.h \
	src/ui/step_remarks.c src/ui/step_remarks.h \
	src/ui/stop_signals.c src/ui/stop_signals.h \
	src/ui/suggestions.c src/ui/suggestions.h \
	src/ui/text_options.c src/ui/text_options.h \
	src/ui/tool_listing.c src/ui/tool_listing.h \
	src/ui/tool_lookup.c src/ui/tool_lookup.h \
	src/ui/undo.c src/ui/undo.h \
	src/ui/undo_recover.c src/ui/undo_recover.h \
	src/ui/user_shell.c src/ui/user_shell.h

FUZZERS += tests/fuzz/fuzz_host_lines tests/fuzz/fuzz_pane_text

UNIT_TESTS += \
	tests/unit/test_host_lines \
	tests/unit/test_model_setup \
	tests/unit/test_pane_text \
	tests/unit/test_prompt_line \
	tests/unit/test_shell_hook \
	tests/unit/test_step_output \
	tests/unit/test_user_shell

SCRIPT_TESTS += \
	tests/cli/text.bats \
	tests/cli/offline_answers.bats \
	tests/tty/test_fix.py \
	tests/tty/test_fix_rerun.py \
	tests/tty/test_tool_loop.py \
	tests/tty/test_tool_loop_screen.py \
	tests/tty/test_memory.py \
	tests/tty/test_origin.py \
	tests/tty/test_plain.py \
	tests/tty/test_undo.py \
	tests/tty/test_words.py
EXTRA_DIST += tests/tty/lastcommand.py
