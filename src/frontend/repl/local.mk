# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/frontend/repl/ai_child.c src/frontend/repl/ai_child.h \
	src/frontend/repl/ai_line.c src/frontend/repl/ai_line.h \
	src/frontend/repl/background_output.c \
	src/frontend/repl/background_output.h \
	src/frontend/repl/bash.c src/frontend/repl/bash.h \
	src/frontend/repl/bash_channel.c src/frontend/repl/bash_channel.h \
	src/frontend/repl/bash_protocol.c src/frontend/repl/bash_protocol.h \
	src/frontend/repl/bindings.c src/frontend/repl/bindings.h \
	src/frontend/repl/command_capture.c \
	src/frontend/repl/command_capture.h \
	src/frontend/repl/complete.c src/frontend/repl/complete.h \
	src/frontend/repl/history.c src/frontend/repl/history.h \
	src/frontend/repl/line_editor.c src/frontend/repl/line_editor.h \
	src/frontend/repl/line_keys.c src/frontend/repl/line_keys.h \
	src/frontend/repl/line_query.c src/frontend/repl/line_query.h \
	src/frontend/repl/output_delimiter.c \
	src/frontend/repl/output_delimiter.h \
	src/frontend/repl/pipe_target.c src/frontend/repl/pipe_target.h \
	src/frontend/repl/prompt_sign.c src/frontend/repl/prompt_sign.h \
	src/frontend/repl/repl.c src/frontend/repl/repl.h \
	src/frontend/repl/repl_state.c src/frontend/repl/repl_state.h \
	src/frontend/repl/screen.c src/frontend/repl/screen.h \
	src/frontend/repl/transcript.c src/frontend/repl/transcript.h

pkglibexec_PROGRAMS += agentsh-repl
agentsh_repl_SOURCES = src/frontend/repl/main.c
agentsh_repl_LDADD = $(FRONT_LIBS) $(READLINE_LIBS)

# The builtin is loaded by bash: no sanitizer, no library of ours, and every
# symbol of bash that it needs must be there when it is loaded. It shares the
# growing buffers with the rest.
pkglibexec_PROGRAMS += agentsh_bash.so
agentsh_bash_so_SOURCES = \
	src/frontend/repl/loadable/agentsh_bash.c \
	src/frontend/repl/loadable/internals.h \
	src/frontend/repl/loadable/readline_query.c \
	src/frontend/repl/loadable/readline_query.h \
	src/frontend/repl/loadable/repl_socket.c \
	src/frontend/repl/loadable/repl_socket.h \
	src/frontend/repl/bash_protocol.c src/base/buf.c src/base/err.c
agentsh_bash_so_CPPFLAGS = -D_GNU_SOURCE -DSHELL -DHAVE_CONFIG_H \
	-I$(top_srcdir)/src $(BASH_CPPFLAGS)
agentsh_bash_so_CFLAGS = $(AGENTSH_WARNINGS) -fPIC -fvisibility=hidden
agentsh_bash_so_LDFLAGS = -shared -Wl,-z,now -Wl,-soname,agentsh_bash.so
agentsh_bash_so_LDADD =

repldir = $(pkglibexecdir)
dist_repl_DATA = src/frontend/repl/loadable/agentsh_bash.rc
# Beside the programs in the build tree too, where the REPL looks for it.
noinst_DATA += agentsh_bash.rc
agentsh_bash.rc: src/frontend/repl/loadable/agentsh_bash.rc
	$(AM_V_GEN)cp $(top_srcdir)/src/frontend/repl/loadable/agentsh_bash.rc $@
CLEANFILES += agentsh_bash.rc

UNIT_TESTS += \
	tests/unit/test_ai_line \
	tests/unit/test_bash_protocol \
	tests/unit/test_repl_transcript

tests_unit_test_bash_protocol_LDADD = $(LDADD) $(READLINE_LIBS)

tests_unit_test_ai_line_LDADD = $(LDADD) $(READLINE_LIBS)

FUZZERS += \
	tests/fuzz/fuzz_ai_line \
	tests/fuzz/fuzz_bash_protocol \
	tests/fuzz/fuzz_output_delimiter \
	tests/fuzz/fuzz_transcript

tests_fuzz_fuzz_bash_protocol_LDADD = $(LDADD) $(READLINE_LIBS)

tests_fuzz_fuzz_ai_line_LDADD = $(LDADD) $(READLINE_LIBS)

SCRIPT_TESTS += \
	tests/tty/test_repl.py \
	tests/tty/test_repl_own.py \
	tests/tty/test_tab.py \
	tests/tty/test_warm.py
EXTRA_DIST += tests/lib/shells.py
