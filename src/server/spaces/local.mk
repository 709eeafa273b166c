# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/spaces/spaces.c src/server/spaces/spaces.h \
	src/server/spaces/spaces_check.c src/server/spaces/spaces_check.h \
	src/server/spaces/spaces_command_op.c \
	src/server/spaces/spaces_command_op.h \
	src/server/spaces/spaces_event.c src/server/spaces/spaces_event.h \
	src/server/spaces/spaces_file_op.c src/server/spaces/spaces_file_op.h \
	src/server/spaces/spaces_files.c src/server/spaces/spaces_files.h \
	src/server/spaces/spaces_message.c src/server/spaces/spaces_message.h \
	src/server/spaces/spaces_permissive.c \
	src/server/spaces/spaces_permissive.h \
	src/server/spaces/spaces_run.c src/server/spaces/spaces_run.h \
	src/server/spaces/spaces_shared.c src/server/spaces/spaces_shared.h

SCRIPT_TESTS += tests/spaces/test_approvals.py tests/spaces/test_hostile.py \
	tests/spaces/test_kill.py tests/spaces/test_manual.py \
	tests/spaces/test_operations.py
FUZZERS += tests/fuzz/fuzz_spaces
EXTRA_DIST += tests/spaces/agent.py tests/spaces/soak.py
