# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/guard/path/secret.c src/guard/path/secret.h
libagentsh_a_SOURCES += src/guard/path/git_config.c \
	src/guard/path/git_config.h
libagentsh_a_SOURCES += src/guard/path/git_trusted.c src/guard/path/git_trusted.h
libagentsh_a_SOURCES += src/guard/path/path_autorun.c src/guard/path/path_autorun.h
libagentsh_a_SOURCES += src/guard/path/secret_tree.c \
	src/guard/path/secret_tree.h
libagentsh_a_SOURCES += src/guard/path/secret_cache.c \
	src/guard/path/secret_cache.h
libagentsh_a_SOURCES += src/guard/syntax/syntax.h
libagentsh_a_SOURCES += src/guard/syntax/syntax_arena.c \
	src/guard/syntax/syntax_arena.h
libagentsh_a_SOURCES += src/guard/syntax/syntax_assign.c
libagentsh_a_SOURCES += src/guard/syntax/syntax_command.c \
	src/guard/syntax/syntax_command.h
libagentsh_a_SOURCES += src/guard/syntax/syntax_compound.c
libagentsh_a_SOURCES += src/guard/syntax/syntax_expansion.c
libagentsh_a_SOURCES += src/guard/syntax/syntax_lexer.c \
	src/guard/syntax/syntax_lexer.h
libagentsh_a_SOURCES += src/guard/syntax/syntax_list.c
libagentsh_a_SOURCES += src/guard/syntax/syntax_parse.c \
	src/guard/syntax/syntax_parse.h
libagentsh_a_SOURCES += src/guard/syntax/syntax_pattern.c
libagentsh_a_SOURCES += src/guard/syntax/syntax_redirect.c
libagentsh_a_SOURCES += src/guard/syntax/syntax_word.c
libagentsh_a_SOURCES += src/guard/risk/risk.c src/guard/risk/risk.h
libagentsh_a_SOURCES += src/guard/risk/risk_args.c src/guard/risk/risk_args.h
libagentsh_a_SOURCES += src/guard/risk/risk_assignment.c
libagentsh_a_SOURCES += src/guard/risk/risk_call.c
libagentsh_a_SOURCES += src/guard/risk/risk_environment.c
libagentsh_a_SOURCES += src/guard/risk/risk_evaluate.c \
	src/guard/risk/risk_evaluate.h
libagentsh_a_SOURCES += src/guard/risk/risk_expand.c \
	src/guard/risk/risk_expand.h
libagentsh_a_SOURCES += src/guard/risk/risk_findings.c \
	src/guard/risk/risk_findings.h
libagentsh_a_SOURCES += src/guard/risk/risk_homoglyph.c
libagentsh_a_SOURCES += src/guard/risk/risk_hosts.c src/guard/risk/risk_hosts.h
libagentsh_a_SOURCES += src/guard/risk/risk_internal.h
libagentsh_a_SOURCES += src/guard/risk/risk_nested.c
libagentsh_a_SOURCES += src/guard/risk/risk_number.c
libagentsh_a_SOURCES += src/guard/risk/risk_paths.c src/guard/risk/risk_paths.h
libagentsh_a_SOURCES += src/guard/risk/risk_programs.c \
	src/guard/risk/risk_programs.h
libagentsh_a_SOURCES += src/guard/risk/risk_redirect.c
libagentsh_a_SOURCES += src/guard/risk/risk_rules.c
libagentsh_a_SOURCES += src/guard/risk/risk_script.c \
	src/guard/risk/risk_script.h
libagentsh_a_SOURCES += src/guard/risk/risk_script_awk.c
libagentsh_a_SOURCES += src/guard/risk/risk_script_names.c
libagentsh_a_SOURCES += src/guard/risk/risk_script_table.c
libagentsh_a_SOURCES += src/guard/risk/risk_script_text.c
libagentsh_a_SOURCES += src/guard/risk/risk_select.c
libagentsh_a_SOURCES += src/guard/risk/risk_shell_builtin.c
libagentsh_a_SOURCES += src/guard/risk/risk_state.h
libagentsh_a_SOURCES += src/guard/risk/risk_variable.c \
	src/guard/risk/risk_variable.h
libagentsh_a_SOURCES += src/guard/risk/risk_verbs.c src/guard/risk/risk_verbs.h
libagentsh_a_SOURCES += src/guard/risk/risk_walk.c
libagentsh_a_SOURCES += src/guard/path/path_home.c src/guard/path/path_home.h
libagentsh_a_SOURCES += src/guard/path/path_table.c src/guard/path/path_table.h
libagentsh_a_SOURCES += src/guard/profile/profile.c src/guard/profile/profile.h
libagentsh_a_SOURCES += src/guard/profile/profile_choose.c
libagentsh_a_SOURCES += src/guard/profile/profile_keys.c
libagentsh_a_SOURCES += src/guard/profile/profile_keys.h
libagentsh_a_SOURCES += src/guard/profile/profile_programs.c src/guard/profile/profile_programs.h
libagentsh_a_SOURCES += src/guard/effects/git_index.c src/guard/effects/git_index.h
libagentsh_a_SOURCES += src/guard/effects/glob.c src/guard/effects/glob.h
libagentsh_a_SOURCES += src/guard/effects/glob_braces.c
libagentsh_a_SOURCES += src/guard/policy/policy.c
libagentsh_a_SOURCES += src/guard/policy/policy.h
libagentsh_a_SOURCES += src/guard/policy/policy_rule.h
libagentsh_a_SOURCES += src/guard/policy/policy_match.h
libagentsh_a_SOURCES += src/guard/policy/policy_match.c
libagentsh_a_SOURCES += src/guard/policy/policy_rule.c
libagentsh_a_SOURCES += src/guard/policy/policy_judge.c
libagentsh_a_SOURCES += src/guard/policy/policy_part.c src/guard/policy/policy_part.h
libagentsh_a_SOURCES += src/guard/policy/policy_pattern.c src/guard/policy/policy_pattern.h
libagentsh_a_SOURCES += src/guard/policy/policy_pin.c
libagentsh_a_SOURCES += src/guard/policy/policy_pin.h
libagentsh_a_SOURCES += src/guard/policy/policy_remember.c
libagentsh_a_SOURCES += src/guard/policy/policy_lint.c
libagentsh_a_SOURCES += src/guard/policy/policy_target.c src/guard/policy/policy_target.h
libagentsh_a_SOURCES += src/guard/policy/policy_examples.c
libagentsh_a_SOURCES += src/guard/exit_status.c src/guard/exit_status.h
libagentsh_a_SOURCES += src/guard/effects/effects.h src/guard/effects/effects.c
libagentsh_a_SOURCES += src/guard/effects/effects_scan.h
libagentsh_a_SOURCES += src/guard/effects/effects_select.c
libagentsh_a_SOURCES += src/guard/effects/effects_count.c
libagentsh_a_SOURCES += src/guard/effects/find_tests.c src/guard/effects/find_tests.h
libagentsh_a_SOURCES += src/guard/effects/effects_signals.c
libagentsh_a_SOURCES += src/guard/effects/effects_protected.c
libagentsh_a_SOURCES += src/guard/effects/effects_expand.c
libagentsh_a_SOURCES += src/guard/effects/effects_text.c src/guard/effects/effects_text.h
libagentsh_a_SOURCES += src/guard/guard.c src/guard/guard.h
libagentsh_a_SOURCES += src/guard/denial.c
libagentsh_a_SOURCES += src/guard/denial.h

UNIT_TESTS += tests/unit/test_syntax
tests_unit_test_syntax_SOURCES = tests/unit/test_syntax.c \
	tests/unit/syntax_show.c tests/unit/syntax_show.h
tests_unit_test_syntax_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_syntax_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_syntax_bounds
tests_unit_test_syntax_bounds_SOURCES = tests/unit/test_syntax_bounds.c \
	tests/unit/syntax_show.c tests/unit/syntax_show.h
tests_unit_test_syntax_bounds_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_syntax_bounds_LDADD = $(UNIT_LIBS)

check_PROGRAMS += tests/guard/print_calls
tests_guard_print_calls_SOURCES = tests/guard/print_calls.c
tests_guard_print_calls_LDADD = $(FRONT_LIBS)
TESTS += tests/guard/test_syntax.py
EXTRA_DIST += tests/guard/test_syntax.py tests/guard/syntax_lines
TESTS += tests/guard/test_bash.py tests/guard/test_help.py
EXTRA_DIST += tests/guard/test_bash.py tests/guard/bash_grammar \
	tests/guard/bash_runs.py tests/guard/run_lines.py  \
	tests/guard/test_help.py tests/guard/help_lines

FUZZERS += tests/fuzz/fuzz_syntax
tests_fuzz_fuzz_syntax_SOURCES = tests/fuzz/fuzz_syntax.c \
	tests/unit/syntax_show.c tests/unit/syntax_show.h
tests_fuzz_fuzz_syntax_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/syntax/lists \
	tests/fuzz/corpus/syntax/arithmetic \
	tests/fuzz/corpus/syntax/compounds \
	tests/fuzz/corpus/syntax/coproc \
	tests/fuzz/corpus/syntax/words \
	tests/fuzz/corpus/syntax/heredocs \
	tests/fuzz/corpus/syntax/heredocs_inside \
	tests/fuzz/corpus/syntax/open



UNIT_TESTS += tests/unit/test_profile
tests_unit_test_profile_SOURCES = tests/unit/test_profile.c
tests_unit_test_profile_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_profile_LDADD = $(UNIT_LIBS)
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

UNIT_TESTS += tests/unit/test_programs
tests_unit_test_programs_SOURCES = tests/unit/test_programs.c
tests_unit_test_programs_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_programs_LDADD = $(UNIT_LIBS)
EXTRA_DIST += tests/unit/tree.h tests/unit/tree_git.h

UNIT_TESTS += tests/unit/test_git_index
tests_unit_test_git_index_SOURCES = tests/unit/test_git_index.c
tests_unit_test_git_index_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_git_index_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_git_index
tests_fuzz_fuzz_git_index_SOURCES = tests/fuzz/fuzz_git_index.c
tests_fuzz_fuzz_git_index_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/git_index

UNIT_TESTS += tests/unit/test_glob
tests_unit_test_glob_SOURCES = tests/unit/test_glob.c
tests_unit_test_glob_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_glob_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_glob
tests_fuzz_fuzz_glob_SOURCES = tests/fuzz/fuzz_glob.c
tests_fuzz_fuzz_glob_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/glob

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

UNIT_TESTS += tests/unit/test_policy
tests_unit_test_policy_SOURCES = tests/unit/test_policy.c \
	tests/unit/policy_fixture.h
tests_unit_test_policy_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_policy_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_policy_tool
tests_unit_test_policy_tool_SOURCES = tests/unit/test_policy_tool.c \
	tests/unit/policy_fixture.h
tests_unit_test_policy_tool_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_policy_tool_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_policy_files
tests_unit_test_policy_files_SOURCES = tests/unit/test_policy_files.c \
	tests/unit/policy_fixture.h
tests_unit_test_policy_files_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_policy_files_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_policy_read
tests_unit_test_policy_read_SOURCES = tests/unit/test_policy_read.c
tests_unit_test_policy_read_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_policy_read_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_policy_match
tests_unit_test_policy_match_SOURCES = tests/unit/test_policy_match.c
tests_unit_test_policy_match_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_policy_match_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_effects_protected
tests_unit_test_effects_protected_SOURCES = tests/unit/test_effects_protected.c
tests_unit_test_effects_protected_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_effects_protected_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_effects
tests_unit_test_effects_SOURCES = tests/unit/test_effects.c
tests_unit_test_effects_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_effects_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_effects_signals
tests_unit_test_effects_signals_SOURCES = tests/unit/test_effects_signals.c
tests_unit_test_effects_signals_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_effects_signals_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_denial
tests_unit_test_denial_SOURCES = tests/unit/test_denial.c
tests_unit_test_denial_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_denial_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_evaluate
tests_unit_test_evaluate_SOURCES = tests/unit/test_evaluate.c
tests_unit_test_evaluate_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_evaluate_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_risk
tests_unit_test_risk_SOURCES = tests/unit/test_risk.c
tests_unit_test_risk_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_risk_LDADD = $(UNIT_LIBS)

# Every example of every stanza, each in its own directory.
UNIT_TESTS += tests/unit/test_examples
tests_unit_test_examples_SOURCES = tests/unit/test_examples.c
tests_unit_test_examples_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_examples_LDADD = $(UNIT_LIBS)
BUILT_SOURCES += src/guard/risk/examples.inc

TESTS += tests/check/programs.sh
EXTRA_DIST += tests/check/programs.sh

# Measures the analysis of lines over labelled ones.
UNIT_TESTS += tests/unit/test_risk_score
tests_unit_test_risk_score_SOURCES = tests/unit/test_risk_score.c
tests_unit_test_risk_score_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_risk_score_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_risk
tests_fuzz_fuzz_risk_SOURCES = tests/fuzz/fuzz_risk.c
tests_fuzz_fuzz_risk_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/risk/wrappers \
	tests/fuzz/corpus/risk/holders \
	tests/fuzz/corpus/risk/names \
	tests/fuzz/corpus/risk/texts \
	tests/fuzz/corpus/risk/code \
	tests/fuzz/corpus/risk/places
EXTRA_DIST += tests/data/risk/README tests/data/risk/programs.jsonl \
	tests/data/risk/more.jsonl \
	tests/data/risk/harmless.jsonl
UNIT_TESTS += tests/unit/test_guard
tests_unit_test_guard_SOURCES = tests/unit/test_guard.c
tests_unit_test_guard_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_guard_LDADD = $(UNIT_LIBS)
EXTRA_DIST += tests/data/risk/attacks.jsonl tests/data/risk/code.jsonl tests/data/risk/heldout.jsonl \
	tests/data/risk/reading.jsonl
FUZZERS += tests/fuzz/fuzz_policy
tests_fuzz_fuzz_policy_SOURCES = tests/fuzz/fuzz_policy.c
tests_fuzz_fuzz_policy_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/policy/whole
EXTRA_DIST += tests/fuzz/corpus/policy/broken
EXTRA_DIST += tests/fuzz/corpus/policy/examples
EXTRA_DIST += tests/fuzz/corpus/policy/paths
EXTRA_DIST += tests/fuzz/corpus/policy/quotes

UNIT_TESTS += tests/unit/test_path_table
tests_unit_test_path_table_SOURCES = tests/unit/test_path_table.c
tests_unit_test_path_table_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_path_table_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_git_trusted
tests_unit_test_git_trusted_SOURCES = tests/unit/test_git_trusted.c
tests_unit_test_git_trusted_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_git_trusted_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_git_config
tests_fuzz_fuzz_git_config_SOURCES = tests/fuzz/fuzz_git_config.c
tests_fuzz_fuzz_git_config_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/git_config
TESTS += tests/guard/test_by_name.py
EXTRA_DIST += tests/guard/test_by_name.py
TESTS += tests/tty/test_secrets.py
EXTRA_DIST += tests/tty/test_secrets.py tests/guard/credential_places.txt \
	tests/guard/harmless_places.txt
UNIT_TESTS += tests/unit/test_secret_tree
tests_unit_test_secret_tree_SOURCES = tests/unit/test_secret_tree.c
tests_unit_test_secret_tree_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_secret_tree_LDADD = $(UNIT_LIBS)
FUZZERS += tests/fuzz/fuzz_secret_cache
tests_fuzz_fuzz_secret_cache_SOURCES = tests/fuzz/fuzz_secret_cache.c
tests_fuzz_fuzz_secret_cache_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/secret_cache
