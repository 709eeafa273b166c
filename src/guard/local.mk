# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/guard/denial.c src/guard/denial.h \
	src/guard/effects/effects.c src/guard/effects/effects.h \
	src/guard/effects/effects_count.c \
	src/guard/effects/effects_expand.c \
	src/guard/effects/effects_protected.c \
	src/guard/effects/effects_scan.h \
	src/guard/effects/effects_secrets.c src/guard/effects/effects_secrets.h \
	src/guard/effects/effects_select.c \
	src/guard/effects/effects_signals.c \
	src/guard/effects/effects_text.c src/guard/effects/effects_text.h \
	src/guard/effects/find_tests.c src/guard/effects/find_tests.h \
	src/guard/effects/git_index.c src/guard/effects/git_index.h \
	src/guard/effects/glob.c src/guard/effects/glob.h \
	src/guard/effects/glob_braces.c \
	src/guard/exit_status.c src/guard/exit_status.h \
	src/guard/guard.c src/guard/guard.h \
	src/guard/path/git_config.c src/guard/path/git_config.h \
	src/guard/path/git_files.c src/guard/path/git_files.h \
	src/guard/path/git_trusted.c src/guard/path/git_trusted.h \
	src/guard/path/path_autorun.c src/guard/path/path_autorun.h \
	src/guard/path/path_context.c src/guard/path/path_context.h \
	src/guard/path/path_home.c src/guard/path/path_home.h \
	src/guard/path/path_table.c src/guard/path/path_table.h \
	src/guard/path/secret.c src/guard/path/secret.h \
	src/guard/path/secret_cache.c src/guard/path/secret_cache.h \
	src/guard/path/secret_tree.c src/guard/path/secret_tree.h \
	src/guard/path/system_sudo.c src/guard/path/system_sudo.h \
	src/guard/policy/policy.c src/guard/policy/policy.h \
	src/guard/policy/policy_examples.c \
	src/guard/policy/policy_judge.c \
	src/guard/policy/policy_lint.c \
	src/guard/policy/policy_match.c src/guard/policy/policy_match.h \
	src/guard/policy/policy_part.c src/guard/policy/policy_part.h \
	src/guard/policy/policy_reason.c \
	src/guard/policy/policy_pattern.c src/guard/policy/policy_pattern.h \
	src/guard/policy/policy_pin.c src/guard/policy/policy_pin.h \
	src/guard/policy/policy_remember.c \
	src/guard/policy/policy_rule.c src/guard/policy/policy_rule.h \
	src/guard/policy/policy_target.c src/guard/policy/policy_target.h \
	src/guard/profile/profile.c src/guard/profile/profile.h \
	src/guard/profile/profile_choose.c \
	src/guard/profile/profile_keys.c src/guard/profile/profile_keys.h \
	src/guard/profile/profile_programs.c \
	src/guard/profile/profile_programs.h \
	src/guard/rerun_check.c src/guard/rerun_check.h \
	src/guard/risk/risk.c src/guard/risk/risk.h \
	src/guard/risk/risk_args.c src/guard/risk/risk_args.h \
	src/guard/risk/risk_assignment.c \
	src/guard/risk/risk_call.c \
	src/guard/risk/risk_environment.c \
	src/guard/risk/risk_evaluate.c src/guard/risk/risk_evaluate.h \
	src/guard/risk/risk_expand.c src/guard/risk/risk_expand.h \
	src/guard/risk/risk_findings.c src/guard/risk/risk_findings.h \
	src/guard/risk/risk_homoglyph.c \
	src/guard/risk/risk_hosts.c src/guard/risk/risk_hosts.h \
	src/guard/risk/risk_internal.h \
	src/guard/risk/risk_nested.c \
	src/guard/risk/risk_number.c \
	src/guard/risk/risk_paths.c src/guard/risk/risk_paths.h \
	src/guard/risk/risk_programs.c src/guard/risk/risk_programs.h \
	src/guard/risk/risk_redirect.c \
	src/guard/risk/risk_rules.c \
	src/guard/risk/risk_script.c src/guard/risk/risk_script.h \
	src/guard/risk/risk_script_awk.c \
	src/guard/risk/risk_script_names.c \
	src/guard/risk/risk_script_table.c \
	src/guard/risk/risk_script_text.c \
	src/guard/risk/risk_select.c \
	src/guard/risk/risk_shell_builtin.c \
	src/guard/risk/risk_state.h \
	src/guard/risk/risk_variable.c src/guard/risk/risk_variable.h \
	src/guard/risk/risk_verbs.c src/guard/risk/risk_verbs.h \
	src/guard/risk/risk_walk.c \
	src/guard/syntax/syntax.h \
	src/guard/syntax/syntax_assign.c \
	src/guard/syntax/syntax_command.c src/guard/syntax/syntax_command.h \
	src/guard/syntax/syntax_compound.c \
	src/guard/syntax/syntax_expansion.c \
	src/guard/syntax/syntax_lexer.c src/guard/syntax/syntax_lexer.h \
	src/guard/syntax/syntax_list.c \
	src/guard/syntax/syntax_parse.c src/guard/syntax/syntax_parse.h \
	src/guard/syntax/syntax_pattern.c \
	src/guard/syntax/syntax_redirect.c \
	src/guard/syntax/syntax_word.c

UNIT_TESTS += \
	tests/unit/test_denial \
	tests/unit/test_effects \
	tests/unit/test_effects_protected \
	tests/unit/test_effects_signals \
	tests/unit/test_evaluate \
	tests/unit/test_examples \
	tests/unit/test_git_index \
	tests/unit/test_git_trusted \
	tests/unit/test_glob \
	tests/unit/test_guard \
	tests/unit/test_path_table \
	tests/unit/test_policy \
	tests/unit/test_policy_files \
	tests/unit/test_policy_match \
	tests/unit/test_policy_read \
	tests/unit/test_policy_tool \
	tests/unit/test_profile \
	tests/unit/test_programs \
	tests/unit/test_rerun_check \
	tests/unit/test_risk \
	tests/unit/test_risk_score \
	tests/unit/test_secret_tree \
	tests/unit/test_syntax \
	tests/unit/test_syntax_bounds
tests_unit_test_syntax_SOURCES = tests/unit/test_syntax.c \
	tests/unit/syntax_show.c tests/unit/syntax_show.h

tests_unit_test_syntax_bounds_SOURCES = tests/unit/test_syntax_bounds.c \
	tests/unit/syntax_show.c tests/unit/syntax_show.h

check_PROGRAMS += tests/guard/print_calls
tests_guard_print_calls_SOURCES = tests/guard/print_calls.c
tests_guard_print_calls_LDADD = $(FRONT_LIBS)
SCRIPT_TESTS += \
	tests/check/programs.sh \
	tests/guard/test_bash.py \
	tests/guard/test_by_name.py \
	tests/guard/test_help.py \
	tests/guard/test_syntax.py \
	tests/tty/test_secrets.py
EXTRA_DIST += tests/guard/syntax_lines
EXTRA_DIST += \
	tests/guard/bash_grammar tests/guard/bash_runs.py \
	tests/guard/run_lines.py tests/guard/help_lines

FUZZERS += \
	tests/fuzz/fuzz_git_config \
	tests/fuzz/fuzz_git_index \
	tests/fuzz/fuzz_glob \
	tests/fuzz/fuzz_policy \
	tests/fuzz/fuzz_risk \
	tests/fuzz/fuzz_secret_cache \
	tests/fuzz/fuzz_syntax
tests_fuzz_fuzz_syntax_SOURCES = tests/fuzz/fuzz_syntax.c \
	tests/unit/syntax_show.c tests/unit/syntax_show.h

# The tables of programs, compiled in (programs/README describes them).
EXTRA_DIST += src/guard/risk/programs
BUILT_SOURCES += src/guard/risk/programs.inc
CLEANFILES += src/guard/risk/programs.inc src/guard/risk/examples.inc
PROGRAM_TABLES = $(srcdir)/src/guard/risk/programs/make.awk \
	$(srcdir)/src/guard/risk/programs/*.txt
src/guard/risk/programs.inc: $(PROGRAM_TABLES)
	$(AM_V_GEN)$(MKDIR_P) src/guard/risk && LC_ALL=C $(AWK) -f $(PROGRAM_TABLES) \
		>$@.tmp && mv $@.tmp $@
src/guard/risk/examples.inc: $(PROGRAM_TABLES)
	$(AM_V_GEN)$(MKDIR_P) src/guard/risk && \
	LC_ALL=C $(AWK) -v examples=1 -f $(PROGRAM_TABLES) >$@.tmp && \
		mv $@.tmp $@
src/guard/risk/risk_programs.$(OBJEXT): src/guard/risk/programs.inc

EXTRA_DIST += tests/unit/tree.h tests/unit/tree_git.h

# The presets are files of rules as any other, compiled in; strictest first.
PRESETS = src/guard/policy/presets/restrictive.policy \
	src/guard/policy/presets/standard.policy src/guard/policy/presets/permissive.policy
src/guard/policy/policy_preset.c: src/guard/policy/presets/embed.sh $(PRESETS)
	$(AM_V_GEN)$(MKDIR_P) src/guard/policy && \
	( cd $(srcdir) && $(SHELL) src/guard/policy/presets/embed.sh $(PRESETS) ) \
	  >$@.new && mv -f $@.new $@
nodist_libagentsh_a_SOURCES += src/guard/policy/policy_preset.c
CLEANFILES += src/guard/policy/policy_preset.c
EXTRA_DIST += src/guard/policy/presets/embed.sh $(PRESETS)

tests_unit_test_policy_SOURCES = tests/unit/test_policy.c \
	tests/unit/policy_fixture.h
tests_unit_test_policy_tool_SOURCES = tests/unit/test_policy_tool.c \
	tests/unit/policy_fixture.h
tests_unit_test_policy_files_SOURCES = tests/unit/test_policy_files.c \
	tests/unit/policy_fixture.h

# Every example of every stanza, each in its own directory.
BUILT_SOURCES += src/guard/risk/examples.inc

# Measures the analysis of lines over labelled ones.

EXTRA_DIST += tests/data/risk/README tests/data/risk/programs.jsonl \
	tests/data/risk/more.jsonl \
	tests/data/risk/harmless.jsonl
EXTRA_DIST += tests/data/risk/attacks.jsonl tests/data/risk/code.jsonl tests/data/risk/heldout.jsonl \
	tests/data/risk/reading.jsonl

EXTRA_DIST += tests/guard/credential_places.txt tests/guard/harmless_places.txt
