# SPDX-License-Identifier: GPL-3.0-or-later
# What the shells are given is compiled in, with the short command's name.
HOOK_FILES = \
	hooks/agentsh.bash \
	hooks/agentsh.fish \
	hooks/agentsh.zsh \
	hooks/completion.bash \
	hooks/completion.fish \
	hooks/completion.zsh

src/ui/hook_text.c: hooks/embed.sh $(HOOK_FILES) Makefile
	$(AM_V_GEN)$(MKDIR_P) src/ui && \
	( cd $(srcdir) && $(SHELL) hooks/embed.sh '$(AI_NAME)' \
	    $(HOOK_FILES) ) >$@.new && mv -f $@.new $@

nodist_libagentsh_a_SOURCES += src/ui/hook_text.c
CLEANFILES += src/ui/hook_text.c
EXTRA_DIST += hooks/embed.sh $(HOOK_FILES)

HOOK_TESTS = \
	tests/tty/test_completion.py \
	tests/tty/test_hook_bash.py \
	tests/tty/test_hook_bash_others.py \
	tests/tty/test_hook_bash_state.py \
	tests/tty/test_hook_fish.py \
	tests/tty/test_hook_places.py \
	tests/tty/test_hook_zsh.py \
	tests/tty/test_insert.py \
	tests/tty/test_shell_change.py \
	tests/tty/test_line_key.py \
	tests/tty/test_day.py \
	tests/tty/test_not_found.py

TESTS += $(HOOK_TESTS)
EXTRA_DIST += $(HOOK_TESTS) tests/tty/hookshell.py tests/tty/shellpane.py \
	tests/tty/fake_preexec.bash tests/tty/fake_starship.bash
