# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/door/repl/ailine.c src/door/repl/ailine.h \
	src/door/repl/aside.c src/door/repl/aside.h \
	src/door/repl/assistant.c src/door/repl/assistant.h \
	src/door/repl/bindings.c src/door/repl/bindings.h \
	src/door/repl/complete.c src/door/repl/complete.h \
	src/door/repl/deed.c src/door/repl/deed.h \
	src/door/repl/dialog.c src/door/repl/dialog.h \
	src/door/repl/front.c src/door/repl/front.h \
	src/door/repl/history.c src/door/repl/history.h \
	src/door/repl/lend.c src/door/repl/lend.h \
	src/door/repl/line.c src/door/repl/line.h \
	src/door/repl/mark.c src/door/repl/mark.h \
	src/door/repl/pipe_target.c src/door/repl/pipe_target.h \
	src/door/repl/scroll.c src/door/repl/scroll.h \
	src/door/repl/sign.c src/door/repl/sign.h \
	src/door/repl/trace.c src/door/repl/trace.h \
	src/door/repl/repl.c src/door/repl/repl.h \
	src/door/repl/said.c src/door/repl/said.h \
	src/door/repl/screen.c src/door/repl/screen.h \
	src/door/repl/shell.c src/door/repl/shell.h \
	src/door/repl/talk.c src/door/repl/talk.h \
	src/door/repl/transcript.c src/door/repl/transcript.h \
	src/door/repl/vt.c src/door/repl/vt.h

pkglibexec_PROGRAMS += agentsh-repl
agentsh_repl_SOURCES = src/door/repl/main.c
agentsh_repl_LDADD = $(FRONT_LIBS) $(READLINE_LIBS)

# The builtin is loaded by bash: no sanitizer, no library of ours, and every
# symbol of bash that it needs must be there when it is loaded. It shares the
# growing buffers with the rest.
pkglibexec_PROGRAMS += agentsh_bash.so
agentsh_bash_so_SOURCES = \
	src/door/repl/loadable/agentsh_bash.c \
	src/door/repl/loadable/answer.c \
	src/door/repl/loadable/bindings.c \
	src/door/repl/loadable/internals.h \
	src/door/repl/loadable/link.c src/door/repl/loadable/link.h \
	src/door/repl/talk.c src/base/buf.c src/base/err.c
agentsh_bash_so_CPPFLAGS = -D_GNU_SOURCE -DSHELL -DHAVE_CONFIG_H \
	-I$(top_srcdir)/src $(BASH_CPPFLAGS)
agentsh_bash_so_CFLAGS = $(AGENTSH_WARNINGS) -fPIC -fvisibility=hidden
agentsh_bash_so_LDFLAGS = -shared -Wl,-z,now -Wl,-soname,agentsh_bash.so
agentsh_bash_so_LDADD =

repldir = $(pkglibexecdir)
dist_repl_DATA = src/door/repl/loadable/agentsh_bash.rc
# Beside the programs in the build tree too, where the REPL looks for it.
noinst_DATA += agentsh_bash.rc
agentsh_bash.rc: src/door/repl/loadable/agentsh_bash.rc
	$(AM_V_GEN)cp $(top_srcdir)/src/door/repl/loadable/agentsh_bash.rc $@
CLEANFILES += agentsh_bash.rc

UNIT_TESTS += tests/unit/test_repl_transcript
tests_unit_test_repl_transcript_SOURCES = tests/unit/test_repl_transcript.c
tests_unit_test_repl_transcript_LDADD = $(UNIT_LIBS)
tests_unit_test_repl_transcript_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

UNIT_TESTS += tests/unit/test_repl_talk
tests_unit_test_repl_talk_SOURCES = tests/unit/test_repl_talk.c
tests_unit_test_repl_talk_LDADD = $(UNIT_LIBS)
tests_unit_test_repl_talk_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

UNIT_TESTS += tests/unit/test_repl_line
tests_unit_test_repl_line_SOURCES = tests/unit/test_repl_line.c
tests_unit_test_repl_line_LDADD = $(UNIT_LIBS) $(READLINE_LIBS)
tests_unit_test_repl_line_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

FUZZERS += tests/fuzz/fuzz_transcript
tests_fuzz_fuzz_transcript_SOURCES = tests/fuzz/fuzz_transcript.c
tests_fuzz_fuzz_transcript_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/transcript

FUZZERS += tests/fuzz/fuzz_mark
tests_fuzz_fuzz_mark_SOURCES = tests/fuzz/fuzz_mark.c
tests_fuzz_fuzz_mark_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/mark

FUZZERS += tests/fuzz/fuzz_talk
tests_fuzz_fuzz_talk_SOURCES = tests/fuzz/fuzz_talk.c
tests_fuzz_fuzz_talk_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/talk

FUZZERS += tests/fuzz/fuzz_ailine
tests_fuzz_fuzz_ailine_SOURCES = tests/fuzz/fuzz_ailine.c
tests_fuzz_fuzz_ailine_LDADD = $(FUZZ_LIBS) $(READLINE_LIBS)
EXTRA_DIST += tests/fuzz/corpus/ailine

TESTS += tests/tty/test_repl.py tests/tty/test_repl_own.py tests/tty/test_tab.py
EXTRA_DIST += tests/tty/test_repl.py tests/tty/test_repl_own.py tests/tty/test_tab.py \
	tests/lib/shells.py
