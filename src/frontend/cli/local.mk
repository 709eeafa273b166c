# SPDX-License-Identifier: GPL-3.0-or-later

# Static: what it would load costs more than what it does.
bin_PROGRAMS += agentsh
agentsh_SOURCES = src/frontend/cli/main.c \
	src/frontend/cli/command.c src/frontend/cli/command.h \
	src/frontend/cli/cmd_exec.c src/frontend/cli/cmd_init.c \
	src/frontend/cli/shell_call.c src/frontend/cli/shell_call.h
if SANITIZE
agentsh_LDADD = $(FRONT_LIBS)
else
agentsh_LDADD = libagentsh.a $(INIH_LIBS)
agentsh_LDFLAGS = $(AM_LDFLAGS) $(STATIC_LDFLAGS)
endif

pkglibexec_PROGRAMS += agentsh-front
agentsh_front_SOURCES = \
	src/frontend/cli/cmd_action_check.c \
	src/frontend/cli/cmd_ai.c \
	src/frontend/cli/cmd_completion.c \
	src/frontend/cli/cmd_doctor.c \
	src/frontend/cli/cmd_exec.c \
	src/frontend/cli/cmd_init.c \
	src/frontend/cli/cmd_line.c \
	src/frontend/cli/cmd_offline.c \
	src/frontend/cli/cmd_plugin_check.c \
	src/frontend/cli/cmd_plugin_new.c \
	src/frontend/cli/cmd_policy.c \
	src/frontend/cli/cmd_policy_test.c \
	src/frontend/cli/cmd_preview.c \
	src/frontend/cli/cmd_services.c \
	src/frontend/cli/cmd_session.c \
	src/frontend/cli/cmd_setup.c \
	src/frontend/cli/cmd_sysinfo.c \
	src/frontend/cli/cmd_tool_call.c \
	src/frontend/cli/cmd_tool_list.c \
	src/frontend/cli/cmd_tool_trust.c \
	src/frontend/cli/cmd_tool_trust.h \
	src/frontend/cli/cmd_version.c \
	src/frontend/cli/command.c \
	src/frontend/cli/command.h \
	src/frontend/cli/commands.c \
	src/frontend/cli/doctor_search.c \
	src/frontend/cli/doctor_search.h \
	src/frontend/cli/doctor_text.c \
	src/frontend/cli/doctor_text.h \
	src/frontend/cli/doctor_tools.c \
	src/frontend/cli/doctor_tools.h \
	src/frontend/cli/facts.c \
	src/frontend/cli/facts.h \
	src/frontend/cli/facts_table.c \
	src/frontend/cli/front_main.c \
	src/frontend/cli/key_reply.c \
	src/frontend/cli/key_reply.h \
	src/frontend/cli/not_found.c \
	src/frontend/cli/not_found.h \
	src/frontend/cli/run_server.c \
	src/frontend/cli/session_view.c \
	src/frontend/cli/session_view.h \
	src/frontend/cli/setup_providers.c \
	src/frontend/cli/setup_providers.h \
	src/frontend/cli/shell_call.c \
	src/frontend/cli/shell_call.h \
	src/frontend/cli/template_text.h \
	src/frontend/cli/tool_call_io.c \
	src/frontend/cli/tool_call_io.h
agentsh_front_LDADD = $(FRONT_LIBS)

SCRIPT_TESTS += \
	tests/cli/contained.bats \
	tests/cli/exec.bats \
	tests/cli/facts.bats \
	tests/cli/shell_call.bats \
	tests/cli/session.bats \
	tests/cli/offline.bats \
	tests/cli/owner.bats \
	tests/cli/plan.bats \
	tests/cli/policy.bats \
	tests/cli/preview-ways.sh \
	tests/cli/preview.bats \
	tests/cli/rule_scope.bats \
	tests/cli/tool.bats \
	tests/cli/auto_approved.bats \
	tests/cli/usage.bats \
	tests/tty/test_answer_width.py \
	tests/tty/test_clip.py \
	tests/tty/test_doubt.py \
	tests/tty/test_emoji.py \
	tests/tty/test_exec.py \
	tests/tty/test_facts.py \
	tests/tty/test_grant.py \
	tests/tty/test_keys.py \
	tests/tty/test_kill.py \
	tests/tty/test_mistyped.py \
	tests/tty/test_elevate.py \
	tests/tty/test_plan_screen.py \
	tests/tty/test_preview.py \
	tests/tty/test_review.py \
	tests/tty/test_review_sandbox.py \
	tests/tty/test_revise.py \
	tests/tty/test_setup.py \
	tests/tty/test_sudo.py \
	tests/tty/test_terminal_modes.py \
	tests/tty/test_tool.py

UNIT_TESTS += tests/unit/test_doctor_text tests/unit/test_facts_table
tests_unit_test_facts_table_SOURCES = tests/unit/test_facts_table.c \
	src/frontend/cli/facts_table.c

tests_unit_test_doctor_text_SOURCES = tests/unit/test_doctor_text.c
tests_unit_test_doctor_text_SOURCES += src/frontend/cli/doctor_text.c
