# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/wish/out_of_scope.c src/offline/wish/out_of_scope.h
libagentsh_a_SOURCES += src/offline/wish/engine.h src/offline/wish/engine.c
libagentsh_a_SOURCES += src/offline/wish/antonym.c src/offline/wish/antonym.h
libagentsh_a_SOURCES += src/offline/wish/order.c src/offline/wish/order.h
libagentsh_a_SOURCES += src/offline/wish/overwrite.c src/offline/wish/overwrite.h
libagentsh_a_SOURCES += src/offline/wish/keep_files.c src/offline/wish/keep_files.h
libagentsh_a_SOURCES += src/offline/wish/keep_members.c src/offline/wish/keep_members.h
libagentsh_a_SOURCES += src/offline/wish/doubt.c src/offline/wish/doubt.h
libagentsh_a_SOURCES += src/offline/wish/doubt_in.h src/offline/wish/doubt_said.c
libagentsh_a_SOURCES += src/offline/wish/doubt_unasked.c
libagentsh_a_SOURCES += src/offline/wish/drop_sudo.c src/offline/wish/drop_sudo.h
libagentsh_a_SOURCES += src/offline/wish/ruin.c src/offline/wish/ruin.h
libagentsh_a_SOURCES += src/offline/wish/own_names.c src/offline/wish/own_names.h
libagentsh_a_SOURCES += src/offline/wish/engine_check.c
libagentsh_a_SOURCES += src/offline/wish/engine_find.c
libagentsh_a_SOURCES += src/offline/wish/engine_in.h
libagentsh_a_SOURCES += src/offline/wish/engine_plan.c
libagentsh_a_SOURCES += src/offline/wish/engine_write.c
libagentsh_a_SOURCES += src/offline/wish/fill.c src/offline/wish/fill.h
libagentsh_a_SOURCES += src/offline/wish/fill_choose.c
libagentsh_a_SOURCES += src/offline/wish/fill_form.c
libagentsh_a_SOURCES += src/offline/wish/fill_inside.c
libagentsh_a_SOURCES += src/offline/wish/fill_kin.c
libagentsh_a_SOURCES += src/offline/wish/fill_known.c
libagentsh_a_SOURCES += src/offline/wish/fill_place.h
libagentsh_a_SOURCES += src/offline/wish/fill_quotes.c
libagentsh_a_SOURCES += src/offline/wish/fill_reader.c
libagentsh_a_SOURCES += src/offline/wish/fill_value.c
libagentsh_a_SOURCES += src/offline/wish/machine.c src/offline/wish/machine.h
libagentsh_a_SOURCES += src/offline/wish/rank.c src/offline/wish/rank.h
libagentsh_a_SOURCES += src/offline/wish/rank_features.c
libagentsh_a_SOURCES += src/offline/wish/rank_hits.c
libagentsh_a_SOURCES += src/offline/wish/rank_sure.c
libagentsh_a_SOURCES += src/offline/wish/rank_wording.c

UNIT_TESTS += tests/unit/test_wish_words
tests_unit_test_wish_words_SOURCES = tests/unit/test_wish_words.c
tests_unit_test_wish_words_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_wish_words_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_machine
tests_unit_test_machine_SOURCES = tests/unit/test_machine.c
tests_unit_test_machine_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_machine_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_wish_request
tests_unit_test_wish_request_SOURCES = tests/unit/test_wish_request.c
tests_unit_test_wish_request_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_wish_request_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_wish
tests_fuzz_fuzz_wish_SOURCES = tests/fuzz/fuzz_wish.c
tests_fuzz_fuzz_wish_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/wish/images
EXTRA_DIST += tests/fuzz/corpus/wish/odd
EXTRA_DIST += tests/fuzz/corpus/wish/places
EXTRA_DIST += tests/fuzz/corpus/wish/quantities

UNIT_TESTS += tests/unit/test_wish_bounds
tests_unit_test_wish_bounds_SOURCES = tests/unit/test_wish_bounds.c
tests_unit_test_wish_bounds_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_wish_bounds_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_drop_sudo
tests_unit_test_drop_sudo_SOURCES = tests/unit/test_drop_sudo.c
tests_unit_test_drop_sudo_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_drop_sudo_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_fill
tests_unit_test_fill_SOURCES = tests/unit/test_fill.c
tests_unit_test_fill_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_fill_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_engine
tests_fuzz_fuzz_engine_SOURCES = tests/fuzz/fuzz_engine.c
tests_fuzz_fuzz_engine_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/engine/bytes
EXTRA_DIST += tests/fuzz/corpus/engine/find
EXTRA_DIST += tests/fuzz/corpus/engine/number
EXTRA_DIST += tests/fuzz/corpus/engine/odd
EXTRA_DIST += tests/fuzz/corpus/engine/quotes

UNIT_TESTS += tests/unit/test_doubt
tests_unit_test_doubt_SOURCES = tests/unit/test_doubt.c
tests_unit_test_doubt_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_doubt_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_overwrite
tests_unit_test_overwrite_SOURCES = tests/unit/test_overwrite.c
tests_unit_test_overwrite_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_overwrite_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_own_names
tests_unit_test_own_names_SOURCES = tests/unit/test_own_names.c
tests_unit_test_own_names_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_own_names_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_fill_all
tests_unit_test_fill_all_SOURCES = tests/unit/test_fill_all.c
tests_unit_test_fill_all_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_fill_all_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_engine
tests_unit_test_engine_SOURCES = tests/unit/test_engine.c
tests_unit_test_engine_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_engine_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_ruin
tests_unit_test_ruin_SOURCES = tests/unit/test_ruin.c
tests_unit_test_ruin_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_ruin_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_out_of_scope
tests_unit_test_out_of_scope_SOURCES = tests/unit/test_out_of_scope.c
tests_unit_test_out_of_scope_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_out_of_scope_LDADD = $(UNIT_LIBS)
