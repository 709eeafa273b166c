# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/offline/engine/antonym.c src/offline/engine/antonym.h \
	src/offline/engine/engine.c src/offline/engine/engine.h \
	src/offline/engine/engine_candidates.c \
	src/offline/engine/engine_check.c \
	src/offline/engine/engine_json.c \
	src/offline/engine/engine_plan.c \
	src/offline/engine/engine_state.h \
	src/offline/engine/installed.c src/offline/engine/installed.h \
	src/offline/engine/operand_order.c src/offline/engine/operand_order.h \
	src/offline/engine/out_of_scope.c src/offline/engine/out_of_scope.h \
	src/offline/engine/overwrite.c src/offline/engine/overwrite.h \
	src/offline/engine/protected_paths.c \
	src/offline/engine/protected_paths.h \
	src/offline/engine/rank.c src/offline/engine/rank.h \
	src/offline/engine/sanitize.c src/offline/engine/sanitize.h \
	src/offline/engine/sanitize_files.c \
	src/offline/engine/sanitize_members.c \
	src/offline/engine/slot_fill.c src/offline/engine/slot_fill.h \
	src/offline/engine/slot_shell.c src/offline/engine/slot_shell.h \
	src/offline/engine/slot_type.c \
	src/offline/engine/subcommand.c src/offline/engine/subcommand.h \
	src/offline/engine/veto.c src/offline/engine/veto.h

UNIT_TESTS += \
	tests/unit/test_engine \
	tests/unit/test_installed \
	tests/unit/test_out_of_scope \
	tests/unit/test_overwrite \
	tests/unit/test_protected_paths \
	tests/unit/test_sanitize_names \
	tests/unit/test_sanitize_sudo \
	tests/unit/test_slot_fill \
	tests/unit/test_slot_fill_all \
	tests/unit/test_veto

FUZZERS += tests/fuzz/fuzz_engine

