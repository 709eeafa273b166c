# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/base/acl.c src/base/acl.h \
	src/base/arena.c src/base/arena.h \
	src/base/array.h \
	src/base/ascii.h \
	src/base/base64.c src/base/base64.h \
	src/base/buf.c src/base/buf.h \
	src/base/children.c src/base/children.h \
	src/base/cleanup.h \
	src/base/clock.c src/base/clock.h \
	src/base/diff.c src/base/diff.h \
	src/base/duration.c src/base/duration.h \
	src/base/environ_given.c src/base/environ_given.h \
	src/base/environ_names.c src/base/environ_names.h \
	src/base/err.c src/base/err.h \
	src/base/fd.c src/base/fd.h \
	src/base/file.c src/base/file.h \
	src/base/hmac.c src/base/hmac.h \
	src/base/id_table.c src/base/id_table.h \
	src/base/linebuf.c src/base/linebuf.h \
	src/base/linux_calls.h \
	src/base/log.c src/base/log.h \
	src/base/loop.c src/base/loop.h \
	src/base/own_group.c src/base/own_group.h \
	src/base/owner.c src/base/owner.h \
	src/base/pair_index.h \
	src/base/passwd.c src/base/passwd.h \
	src/base/percent.c src/base/percent.h \
	src/base/message.c src/base/message.h \
	src/base/message_format.c src/base/message_format.h \
	src/base/message_put.c src/base/message_put.h \
	src/base/path.c src/base/path.h \
	src/base/proc.c src/base/proc.h \
	src/base/process_list.c src/base/process_list.h \
	src/base/proc_end.c src/base/proc_end.h \
	src/base/pty.c src/base/pty.h \
	src/base/random_id.c src/base/random_id.h \
	src/base/redact.c src/base/redact.h \
	src/base/redact_find.h \
	src/base/redact_name.c \
	src/base/redact_token.c \
	src/base/seat.c src/base/seat.h \
	src/base/secret_file.c src/base/secret_file.h \
	src/base/secret_name.c src/base/secret_name.h \
	src/base/sha1.c src/base/sha1.h \
	src/base/sha256.c src/base/sha256.h \
	src/base/shell_quote.c src/base/shell_quote.h \
	src/base/size.c src/base/size.h \
	src/base/sock_diag.c src/base/sock_diag.h \
	src/base/str.c src/base/str.h \
	src/base/terminal_keeper.c src/base/terminal_keeper.h \
	src/base/thread.c src/base/thread.h \
	src/base/timer_heap.c src/base/timer_heap.h \
	src/base/utf8.c src/base/utf8.h \
	src/base/worker.c src/base/worker.h

UNIT_TESTS += \
	tests/unit/test_base \
	tests/unit/test_base64 \
	tests/unit/test_buf \
	tests/unit/test_children \
	tests/unit/test_diff \
	tests/unit/test_duration \
	tests/unit/test_hmac \
	tests/unit/test_id_table \
	tests/unit/test_loop \
	tests/unit/test_message_format \
	tests/unit/test_owner \
	tests/unit/test_percent \
	tests/unit/test_proc \
	tests/unit/test_proc_end \
	tests/unit/test_proc_job \
	tests/unit/test_random_id \
	tests/unit/test_redact \
	tests/unit/test_redact_plain \
	tests/unit/test_seat \
	tests/unit/test_timer_heap \
	tests/unit/test_worker

FUZZERS += tests/fuzz/fuzz_base64 tests/fuzz/fuzz_diff tests/fuzz/fuzz_owner
FUZZERS += tests/fuzz/fuzz_redact


# Says texts in the language of the locale, for tests/tty/test_german.py.
check_PROGRAMS += tests/lib/message_probe
tests_lib_message_probe_SOURCES = tests/lib/message_probe.c
tests_lib_message_probe_LDADD = libagentsh.a
