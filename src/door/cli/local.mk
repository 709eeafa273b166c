# SPDX-License-Identifier: GPL-3.0-or-later

# Static: what it would load costs more than what it does.
bin_PROGRAMS += agentsh
agentsh_SOURCES = src/door/cli/main.c \
	src/door/cli/call.c src/door/cli/call.h \
	src/door/cli/exec.c
if SANITIZE
agentsh_LDADD = $(FRONT_LIBS)
else
agentsh_LDADD = libagentsh.a $(INIH_LIBS)
agentsh_LDFLAGS = $(AM_LDFLAGS) $(STATIC_LDFLAGS)
endif

pkglibexec_PROGRAMS += agentsh-front
agentsh_front_SOURCES = src/door/cli/front_main.c \
	src/door/cli/action_check.c \
	src/door/cli/agentsh.c \
	src/door/cli/ai.c \
	src/door/cli/log.c \
	src/door/cli/completion.c \
	src/door/cli/doctor.c \
	src/door/cli/doctor_servers.c src/door/cli/doctor_servers.h \
	src/door/cli/policy.c \
	src/door/cli/preview.c \
	src/door/cli/version.c \
	src/door/cli/policy_test.c \
	src/door/cli/call.c src/door/cli/call.h \
	src/door/cli/exec.c
agentsh_front_SOURCES += src/door/cli/facts.c src/door/cli/facts.h
agentsh_front_SOURCES += src/door/cli/facts_services.c
agentsh_front_SOURCES += src/door/cli/facts_sysinfo.c
agentsh_front_SOURCES += src/door/cli/facts_table.c
agentsh_front_SOURCES += src/door/cli/offline.c
agentsh_front_SOURCES += src/door/cli/plugin_check.c
agentsh_front_SOURCES += src/door/cli/plugin_new.c
agentsh_front_SOURCES += src/door/cli/template_text.h
agentsh_front_SOURCES += src/door/cli/tool_answer.c src/door/cli/tool_answer.h
agentsh_front_SOURCES += src/door/cli/tool_call.c
agentsh_front_SOURCES += src/door/cli/tool_job.c src/door/cli/tool_job.h
agentsh_front_SOURCES += src/door/cli/doctor_text.c src/door/cli/doctor_text.h
agentsh_front_SOURCES += src/door/cli/tool_told.c src/door/cli/tool_told.h
agentsh_front_SOURCES += src/door/cli/tool_list.c
agentsh_front_SOURCES += src/door/cli/tool_state.c src/door/cli/tool_state.h
agentsh_front_SOURCES += src/door/cli/tool_trust.c src/door/cli/tool_trust.h
agentsh_front_SOURCES += src/door/cli/tool_walls.c src/door/cli/tool_walls.h
agentsh_front_LDADD = $(FRONT_LIBS)

TESTS += tests/cli/owner.bats tests/cli/plan.bats tests/cli/unasked.bats tests/cli/remembered.bats tests/cli/policy.bats tests/cli/usage.bats \
	tests/tty/test_keys.py \
	tests/tty/test_grant.py tests/tty/test_review.py tests/tty/test_review_walls.py \
	tests/tty/test_kill.py
EXTRA_DIST += tests/cli/owner.bats tests/cli/plan.bats tests/cli/unasked.bats tests/cli/remembered.bats tests/cli/policy.bats tests/cli/usage.bats \
	tests/tty/test_keys.py \
	tests/tty/test_grant.py tests/tty/test_review.py tests/tty/test_review_walls.py \
	tests/tty/test_kill.py

TESTS += tests/cli/exec.bats tests/cli/contained.bats tests/tty/test_exec.py
EXTRA_DIST += tests/cli/exec.bats tests/cli/contained.bats tests/tty/test_exec.py

TESTS += tests/cli/preview.bats tests/cli/preview-ways.sh tests/tty/test_preview.py tests/tty/test_doubt.py tests/tty/test_emoji.py tests/tty/test_clip.py tests/tty/test_plan_screen.py tests/tty/test_revise.py tests/tty/test_mistyped.py tests/tty/test_answer_width.py
EXTRA_DIST += tests/cli/preview.bats tests/cli/preview-ways.sh tests/tty/test_preview.py tests/tty/test_doubt.py tests/tty/test_emoji.py tests/tty/test_clip.py tests/tty/test_plan_screen.py tests/tty/test_revise.py tests/tty/test_mistyped.py tests/tty/test_answer_width.py

TESTS += tests/cli/offline.bats
EXTRA_DIST += tests/cli/offline.bats
TESTS += tests/cli/facts.bats
EXTRA_DIST += tests/cli/facts.bats
TESTS += tests/cli/tool.bats
EXTRA_DIST += tests/cli/tool.bats
TESTS += tests/tty/test_need.py
EXTRA_DIST += tests/tty/test_need.py
TESTS += tests/tty/test_tool.py
EXTRA_DIST += tests/tty/test_tool.py
TESTS += tests/tty/test_facts.py
EXTRA_DIST += tests/tty/test_facts.py

UNIT_TESTS += tests/unit/test_facts_table
tests_unit_test_facts_table_SOURCES = tests/unit/test_facts_table.c \
	src/door/cli/facts_table.c
tests_unit_test_facts_table_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_facts_table_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_doctor_text
tests_unit_test_doctor_text_SOURCES = tests/unit/test_doctor_text.c
tests_unit_test_doctor_text_SOURCES += src/door/cli/doctor_text.c
tests_unit_test_doctor_text_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_doctor_text_LDADD = $(UNIT_LIBS)
