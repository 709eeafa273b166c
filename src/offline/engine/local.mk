# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/engine/out_of_scope.c src/offline/engine/out_of_scope.h
libagentsh_a_SOURCES += src/offline/engine/engine.h src/offline/engine/engine.c
libagentsh_a_SOURCES += src/offline/engine/antonym.c src/offline/engine/antonym.h
libagentsh_a_SOURCES += src/offline/engine/operand_order.c src/offline/engine/operand_order.h
libagentsh_a_SOURCES += src/offline/engine/overwrite.c src/offline/engine/overwrite.h
libagentsh_a_SOURCES += src/offline/engine/sanitize.c src/offline/engine/sanitize.h
libagentsh_a_SOURCES += src/offline/engine/veto.c src/offline/engine/veto.h
libagentsh_a_SOURCES += src/offline/engine/protected_paths.c src/offline/engine/protected_paths.h
libagentsh_a_SOURCES += src/offline/engine/engine_candidates.c
libagentsh_a_SOURCES += src/offline/engine/engine_state.h
libagentsh_a_SOURCES += src/offline/engine/engine_plan.c
libagentsh_a_SOURCES += src/offline/engine/engine_json.c
libagentsh_a_SOURCES += src/offline/engine/slot_fill.c src/offline/engine/slot_fill.h
libagentsh_a_SOURCES += src/offline/engine/slot_type.c
libagentsh_a_SOURCES += src/offline/engine/slot_shell.c
libagentsh_a_SOURCES += src/offline/engine/slot_shell.h
libagentsh_a_SOURCES += src/offline/engine/installed.c src/offline/engine/installed.h
libagentsh_a_SOURCES += src/offline/engine/rank.c src/offline/engine/rank.h

UNIT_TESTS += tests/unit/test_lexicon
tests_unit_test_lexicon_SOURCES = tests/unit/test_lexicon.c
tests_unit_test_lexicon_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_lexicon_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_installed
tests_unit_test_installed_SOURCES = tests/unit/test_installed.c
tests_unit_test_installed_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_installed_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_request_parse
tests_unit_test_request_parse_SOURCES = tests/unit/test_request_parse.c
tests_unit_test_request_parse_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_request_parse_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_wish
tests_fuzz_fuzz_wish_SOURCES = tests/fuzz/fuzz_wish.c
tests_fuzz_fuzz_wish_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/wish/images
EXTRA_DIST += tests/fuzz/corpus/wish/odd
EXTRA_DIST += tests/fuzz/corpus/wish/places
EXTRA_DIST += tests/fuzz/corpus/wish/quantities

UNIT_TESTS += tests/unit/test_request_bounds
tests_unit_test_request_bounds_SOURCES = tests/unit/test_request_bounds.c
tests_unit_test_request_bounds_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_request_bounds_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_sanitize_sudo
tests_unit_test_sanitize_sudo_SOURCES = tests/unit/test_sanitize_sudo.c
tests_unit_test_sanitize_sudo_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sanitize_sudo_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_slot_fill
tests_unit_test_slot_fill_SOURCES = tests/unit/test_slot_fill.c
tests_unit_test_slot_fill_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_slot_fill_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_engine
tests_fuzz_fuzz_engine_SOURCES = tests/fuzz/fuzz_engine.c
tests_fuzz_fuzz_engine_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/engine/bytes
EXTRA_DIST += tests/fuzz/corpus/engine/find
EXTRA_DIST += tests/fuzz/corpus/engine/number
EXTRA_DIST += tests/fuzz/corpus/engine/odd
EXTRA_DIST += tests/fuzz/corpus/engine/quotes

UNIT_TESTS += tests/unit/test_veto
tests_unit_test_veto_SOURCES = tests/unit/test_veto.c
tests_unit_test_veto_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_veto_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_overwrite
tests_unit_test_overwrite_SOURCES = tests/unit/test_overwrite.c
tests_unit_test_overwrite_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_overwrite_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_sanitize_names
tests_unit_test_sanitize_names_SOURCES = tests/unit/test_sanitize_names.c
tests_unit_test_sanitize_names_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sanitize_names_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_slot_fill_all
tests_unit_test_slot_fill_all_SOURCES = tests/unit/test_slot_fill_all.c
tests_unit_test_slot_fill_all_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_slot_fill_all_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_engine
tests_unit_test_engine_SOURCES = tests/unit/test_engine.c
tests_unit_test_engine_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_engine_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_protected_paths
tests_unit_test_protected_paths_SOURCES = tests/unit/test_protected_paths.c
tests_unit_test_protected_paths_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_protected_paths_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_out_of_scope
tests_unit_test_out_of_scope_SOURCES = tests/unit/test_out_of_scope.c
tests_unit_test_out_of_scope_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_out_of_scope_LDADD = $(UNIT_LIBS)
