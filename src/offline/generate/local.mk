# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/offline/generate/archive.c src/offline/generate/archive.h \
	src/offline/generate/builder.c src/offline/generate/builder.h \
	src/offline/generate/characters.c \
	src/offline/generate/columns.c \
	src/offline/generate/compare.c \
	src/offline/generate/copy.c \
	src/offline/generate/disk_usage.c \
	src/offline/generate/file_ops.c \
	src/offline/generate/find.c src/offline/generate/find.h \
	src/offline/generate/find_actions.c \
	src/offline/generate/find_depth.c \
	src/offline/generate/find_measures.c \
	src/offline/generate/find_names.c \
	src/offline/generate/form.c src/offline/generate/form.h \
	src/offline/generate/form_containers.c \
	src/offline/generate/form_git.c \
	src/offline/generate/form_match.c \
	src/offline/generate/form_media.c \
	src/offline/generate/form_network.c \
	src/offline/generate/form_system.c \
	src/offline/generate/generate.c src/offline/generate/generate.h \
	src/offline/generate/grep.c src/offline/generate/grep.h \
	src/offline/generate/lines.c \
	src/offline/generate/listing.c \
	src/offline/generate/literals.c src/offline/generate/literals.h \
	src/offline/generate/loops.c \
	src/offline/generate/permissions.c \
	src/offline/generate/phrase_match.c \
	src/offline/generate/pipe_tail.c \
	src/offline/generate/remote_copy.c \
	src/offline/generate/shell_word.c \
	src/offline/generate/shortlist.c src/offline/generate/shortlist.h \
	src/offline/generate/sort.c \
	src/offline/generate/split.c \
	src/offline/generate/text_edit.c

UNIT_TESTS += \
	tests/unit/test_find_actions \
	tests/unit/test_find_measures \
	tests/unit/test_find_names \
	tests/unit/test_generate_admin \
	tests/unit/test_generate_files \
	tests/unit/test_generate_git \
	tests/unit/test_generate_hostile \
	tests/unit/test_generate_lines \
	tests/unit/test_generate_listing \
	tests/unit/test_generate_machines \
	tests/unit/test_generate_media \
	tests/unit/test_generate_system \
	tests/unit/test_generate_text \
	tests/unit/test_generate_word \
	tests/unit/test_shortlist

tests_unit_test_find_names_SOURCES = tests/unit/test_find_names.c tests/unit/find_candidates.c tests/unit/find_candidates.h
tests_unit_test_find_measures_SOURCES = tests/unit/test_find_measures.c tests/unit/find_candidates.c tests/unit/find_candidates.h
tests_unit_test_find_actions_SOURCES = tests/unit/test_find_actions.c tests/unit/find_candidates.c tests/unit/find_candidates.h

FUZZERS += tests/fuzz/fuzz_generate tests/fuzz/fuzz_find tests/fuzz/fuzz_form
tests_fuzz_fuzz_find_SOURCES = tests/fuzz/fuzz_find.c \
	tests/fuzz/generator_check.h
tests_unit_test_generate_lines_SOURCES = tests/unit/test_generate_lines.c tests/unit/generated.c tests/unit/generated.h

tests_unit_test_generate_text_SOURCES = tests/unit/test_generate_text.c tests/unit/generated.c tests/unit/generated.h

tests_unit_test_generate_files_SOURCES = tests/unit/test_generate_files.c tests/unit/generated.c tests/unit/generated.h

tests_unit_test_generate_listing_SOURCES = tests/unit/test_generate_listing.c tests/unit/generated.c tests/unit/generated.h

tests_fuzz_fuzz_generate_SOURCES = tests/fuzz/fuzz_generate.c \
	tests/fuzz/generator_check.h
tests_unit_test_generate_git_SOURCES = tests/unit/test_generate_git.c tests/unit/generated.c tests/unit/generated.h
tests_unit_test_generate_system_SOURCES = tests/unit/test_generate_system.c tests/unit/generated.c tests/unit/generated.h
tests_unit_test_generate_media_SOURCES = tests/unit/test_generate_media.c tests/unit/generated.c tests/unit/generated.h
tests_unit_test_generate_machines_SOURCES = tests/unit/test_generate_machines.c tests/unit/generated.c tests/unit/generated.h
tests_unit_test_generate_admin_SOURCES = tests/unit/test_generate_admin.c tests/unit/generated.c tests/unit/generated.h

tests_fuzz_fuzz_form_SOURCES = tests/fuzz/fuzz_form.c \
	tests/fuzz/generator_check.h
