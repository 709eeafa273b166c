# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/generate/generate.c src/offline/generate/generate.h
libagentsh_a_SOURCES += src/offline/generate/phrase_match.c
libagentsh_a_SOURCES += src/offline/generate/find.c src/offline/generate/find.h
libagentsh_a_SOURCES += src/offline/generate/find_actions.c
libagentsh_a_SOURCES += src/offline/generate/find_names.c
libagentsh_a_SOURCES += src/offline/generate/find_depth.c
libagentsh_a_SOURCES += src/offline/generate/find_measures.c
libagentsh_a_SOURCES += src/offline/generate/pipe_tail.c
libagentsh_a_SOURCES += src/offline/generate/shell_word.c
libagentsh_a_SOURCES += src/offline/generate/archive.c src/offline/generate/archive.h
libagentsh_a_SOURCES += src/offline/generate/copy.c
libagentsh_a_SOURCES += src/offline/generate/grep.c src/offline/generate/grep.h
libagentsh_a_SOURCES += src/offline/generate/file_ops.c
libagentsh_a_SOURCES += src/offline/generate/listing.c
libagentsh_a_SOURCES += src/offline/generate/literals.c src/offline/generate/literals.h
libagentsh_a_SOURCES += src/offline/generate/builder.c src/offline/generate/builder.h
libagentsh_a_SOURCES += src/offline/generate/columns.c
libagentsh_a_SOURCES += src/offline/generate/text_edit.c
libagentsh_a_SOURCES += src/offline/generate/lines.c
libagentsh_a_SOURCES += src/offline/generate/compare.c
libagentsh_a_SOURCES += src/offline/generate/permissions.c
libagentsh_a_SOURCES += src/offline/generate/loops.c
libagentsh_a_SOURCES += src/offline/generate/form.c src/offline/generate/form.h
libagentsh_a_SOURCES += src/offline/generate/form_match.c
libagentsh_a_SOURCES += src/offline/generate/form_git.c
libagentsh_a_SOURCES += src/offline/generate/form_system.c
libagentsh_a_SOURCES += src/offline/generate/form_network.c
libagentsh_a_SOURCES += src/offline/generate/form_containers.c
libagentsh_a_SOURCES += src/offline/generate/form_media.c
libagentsh_a_SOURCES += src/offline/generate/shortlist.h src/offline/generate/shortlist.c

UNIT_TESTS += tests/unit/test_shortlist
tests_unit_test_shortlist_SOURCES = tests/unit/test_shortlist.c
tests_unit_test_shortlist_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_shortlist_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_generate_hostile
tests_unit_test_generate_hostile_SOURCES = tests/unit/test_generate_hostile.c
tests_unit_test_generate_hostile_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_hostile_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_generate_word
tests_unit_test_generate_word_SOURCES = tests/unit/test_generate_word.c
tests_unit_test_generate_word_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_word_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_find_names
tests_unit_test_find_names_SOURCES = tests/unit/test_find_names.c tests/unit/found.c tests/unit/found.h
tests_unit_test_find_names_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_find_names_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_find_measures
tests_unit_test_find_measures_SOURCES = tests/unit/test_find_measures.c tests/unit/found.c tests/unit/found.h
tests_unit_test_find_measures_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_find_measures_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_find_actions
tests_unit_test_find_actions_SOURCES = tests/unit/test_find_actions.c tests/unit/found.c tests/unit/found.h
tests_unit_test_find_actions_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_find_actions_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_find
tests_fuzz_fuzz_find_SOURCES = tests/fuzz/fuzz_find.c \
	tests/fuzz/wish_composed.h
tests_fuzz_fuzz_find_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/find/action
EXTRA_DIST += tests/fuzz/corpus/find/names
EXTRA_DIST += tests/fuzz/corpus/find/order
EXTRA_DIST += tests/fuzz/corpus/find/skip
UNIT_TESTS += tests/unit/test_generate_lines
tests_unit_test_generate_lines_SOURCES = tests/unit/test_generate_lines.c tests/unit/composed.c tests/unit/composed.h
tests_unit_test_generate_lines_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_lines_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_generate_text
tests_unit_test_generate_text_SOURCES = tests/unit/test_generate_text.c tests/unit/composed.c tests/unit/composed.h
tests_unit_test_generate_text_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_text_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_generate_files
tests_unit_test_generate_files_SOURCES = tests/unit/test_generate_files.c tests/unit/composed.c tests/unit/composed.h
tests_unit_test_generate_files_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_files_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_generate_listing
tests_unit_test_generate_listing_SOURCES = tests/unit/test_generate_listing.c tests/unit/composed.c tests/unit/composed.h
tests_unit_test_generate_listing_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_listing_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_compose
tests_fuzz_fuzz_compose_SOURCES = tests/fuzz/fuzz_compose.c \
	tests/fuzz/wish_composed.h
tests_fuzz_fuzz_compose_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/compose/files
EXTRA_DIST += tests/fuzz/corpus/compose/lines
EXTRA_DIST += tests/fuzz/corpus/compose/pipeline
EXTRA_DIST += tests/fuzz/corpus/compose/names
UNIT_TESTS += tests/unit/test_generate_git
tests_unit_test_generate_git_SOURCES = tests/unit/test_generate_git.c tests/unit/composed.c tests/unit/composed.h
tests_unit_test_generate_git_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_git_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_generate_system
tests_unit_test_generate_system_SOURCES = tests/unit/test_generate_system.c tests/unit/composed.c tests/unit/composed.h
tests_unit_test_generate_system_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_system_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_generate_media
tests_unit_test_generate_media_SOURCES = tests/unit/test_generate_media.c tests/unit/composed.c tests/unit/composed.h
tests_unit_test_generate_media_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_media_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_generate_machines
tests_unit_test_generate_machines_SOURCES = tests/unit/test_generate_machines.c tests/unit/composed.c tests/unit/composed.h
tests_unit_test_generate_machines_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_machines_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_generate_admin
tests_unit_test_generate_admin_SOURCES = tests/unit/test_generate_admin.c tests/unit/composed.c tests/unit/composed.h
tests_unit_test_generate_admin_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_generate_admin_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_forms
tests_fuzz_fuzz_forms_SOURCES = tests/fuzz/fuzz_forms.c \
	tests/fuzz/wish_composed.h
tests_fuzz_fuzz_forms_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/forms/commit
EXTRA_DIST += tests/fuzz/corpus/forms/copy
EXTRA_DIST += tests/fuzz/corpus/forms/cut
EXTRA_DIST += tests/fuzz/corpus/forms/exec
EXTRA_DIST += tests/fuzz/corpus/forms/kill
EXTRA_DIST += tests/fuzz/corpus/forms/post
