# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/offline/repair/repair.c \
	src/offline/repair/repair.h \
	src/offline/repair/repair_check.c \
	src/offline/repair/repair_command.c \
	src/offline/repair/repair_command.h \
	src/offline/repair/repair_edit.c \
	src/offline/repair/repair_file.c \
	src/offline/repair/repair_find.c \
	src/offline/repair/repair_find.h \
	src/offline/repair/repair_git.c \
	src/offline/repair/repair_machine.c \
	src/offline/repair/repair_near.c \
	src/offline/repair/repair_project.c \
	src/offline/repair/repair_rows.c \
	src/offline/repair/repair_rows.h \
	src/offline/repair/repair_slots.c \
	src/offline/repair/repair_slots.h \
	src/offline/repair/repair_words.c \
	src/offline/repair/repair_words.h

# The rules, compiled in; a new file needs no mention anywhere.
REPAIR_RULES = $(srcdir)/src/offline/repair/rules/*.txt
EXTRA_DIST += $(REPAIR_RULES) src/offline/repair/embed.awk \
	src/offline/repair/README
nodist_libagentsh_a_SOURCES += src/offline/repair/repair_rules.c
CLEANFILES += src/offline/repair/repair_rules.c
src/offline/repair/repair_rules.c: src/offline/repair/embed.awk $(REPAIR_RULES)
	$(AM_V_GEN)$(MKDIR_P) src/offline/repair && \
	LC_ALL=C awk -f $(srcdir)/src/offline/repair/embed.awk \
	    $(REPAIR_RULES) >$@.new && mv -f $@.new $@

# The build tests every rule and its examples.
noinst_PROGRAMS += src/offline/repair/check_rules
src_offline_repair_check_rules_SOURCES = src/offline/repair/check_rules.c
src_offline_repair_check_rules_LDADD = $(FRONT_LIBS)
if !CROSS
noinst_DATA += src/offline/repair/rules.checked
CLEANFILES += src/offline/repair/rules.checked
src/offline/repair/rules.checked: src/offline/repair/check_rules$(EXEEXT)
	$(AM_V_GEN)src/offline/repair/check_rules >$@.new && mv -f $@.new $@
endif

UNIT_TESTS += tests/unit/test_repair
tests_unit_test_repair_SOURCES = tests/unit/test_repair.c
check_PROGRAMS += tests/fix/print_repair
tests_fix_print_repair_SOURCES = tests/fix/print_repair.c
tests_fix_print_repair_LDADD = $(FRONT_LIBS)
SCRIPT_TESTS += tests/fix/test_rules.py tests/fix/test_right.py \
	tests/fix/test_index.py
EXTRA_DIST += tests/fix/failures.py tests/fix/failures.txt \
	tests/fix/later.txt tests/fix/silent.txt
FUZZERS += tests/fuzz/fuzz_repair
tests_fuzz_fuzz_repair_LDADD = $(FRONT_LIBS) $(LDADD)
