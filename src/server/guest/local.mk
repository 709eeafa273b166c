# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/guest/guest.c src/server/guest/guest.h \
	src/server/guest/guest_attachment.c \
	src/server/guest/guest_attachment.h \
	src/server/guest/guest_command.c src/server/guest/guest_command.h \
	src/server/guest/guest_connection.c \
	src/server/guest/guest_connection.h \
	src/server/guest/guest_exec.c src/server/guest/guest_exec.h \
	src/server/guest/guest_files.c src/server/guest/guest_files.h \
	src/server/guest/guest_fs.c src/server/guest/guest_fs.h \
	src/server/guest/guest_job.c src/server/guest/guest_job.h \
	src/server/guest/guest_launch.c src/server/guest/guest_launch.h \
	src/server/guest/guest_machine.c src/server/guest/guest_machine.h \
	src/server/guest/guest_methods.c src/server/guest/guest_methods.h \
	src/server/guest/guest_orphans.c src/server/guest/guest_orphans.h \
	src/server/guest/guest_params.c src/server/guest/guest_params.h \
	src/server/guest/guest_path.c src/server/guest/guest_path.h \
	src/server/guest/guest_process.c src/server/guest/guest_process.h \
	src/server/guest/guest_record.c src/server/guest/guest_record.h \
	src/server/guest/guest_rules.c src/server/guest/guest_rules.h \
	src/server/guest/guest_settings.c src/server/guest/guest_settings.h \
	src/server/guest/guest_shared.h \
	src/server/guest/guest_spool.c src/server/guest/guest_spool.h \
	src/server/guest/guest_start.c src/server/guest/guest_start.h \
	src/server/guest/guest_watch.c src/server/guest/guest_watch.h \
	src/server/guest/guest_write.c src/server/guest/guest_write.h

UNIT_TESTS += tests/unit/test_guest_spool
SCRIPT_TESTS += tests/guest/test_confined.py tests/guest/test_connections.py \
	tests/guest/test_manual.py tests/guest/test_methods.py tests/guest/test_on.py \
	tests/guest/test_orphans.py tests/guest/test_process.py \
	tests/guest/test_record.py tests/guest/test_trouble.py \
	tests/guest/test_watch.py
FUZZERS += tests/fuzz/fuzz_guest
EXTRA_DIST += tests/guest/agent.py tests/guest/hosts.py tests/guest/soak.py
