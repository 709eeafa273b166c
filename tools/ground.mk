# SPDX-License-Identifier: GPL-3.0-or-later
# ground.mk - builds what needs no library but that of C, with a compiler and
# in a directory of its own: for GNU make, called in a build tree.
#
#   S        the source tree
#   O        the directory for objects
#   CC, CFLAGS, LDFLAGS, AR
#
# When cross compiling the Makefile builds by it what the build runs. Sources
# that need a library are left out: a program that calls them does not link.
O = ground
AR = ar
CFLAGS = -g -O2

COMPILE = $(CC) -std=gnu11 -include config.h -I$(S)/src -I$(S) -I. \
	-DPKGLIBEXECDIR='"/nowhere"' -DPKGDATADIR='"/nowhere"' \
	-DSYSCONFDIR='"/etc"' -DLOCALEDIR='"/nowhere"' $(CFLAGS)

with_library = json/node\.h|term/(md_|markdown)|<ini\.h>|<seccomp\.h>
sources_in = $(shell grep -L -E '$(with_library)' $(1:%=$(S)/src/%/*.c))
objects_in = $(patsubst $(S)/%.c,$(O)/%.o,$(call sources_in,$(1)))

index_objects := $(filter-out %/index_builtin.o,$(call objects_in,base term \
	guard guard/* offline/parse offline/index))

define archive
rm -f $@ && $(AR) cr $@ $^
endef
$(O)/libindex.a: $(index_objects)
	$(archive)
$(O)/%.o: $(S)/%.c
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

src/offline/recipes/make_index: $(S)/src/offline/recipes/make_index.c \
		$(O)/libindex.a
	$(COMPILE) $(LDFLAGS) -o $@ $^

mkfilter = mkfilter denylist target
src/sandbox/build/mkfilter: $(mkfilter:%=$(S)/src/sandbox/build/%.c) \
		$(wildcard $(S)/src/sandbox/build/*.h)
	@mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) -o $@ $(filter %.c,$^) $(SECCOMP_LIBS)

-include $(index_objects:.o=.d)

ground_objects := $(call objects_in,base config json term guard guard/* \
	sandbox sandbox/*) $(O)/src/guard/policy/policy_preset.o
$(O)/libground.a: $(ground_objects)
	$(archive)
$(O)/%.o: %.c # made in the build tree
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<
-include $(ground_objects:.o=.d)

# The tests of these wings that need no library either; where the C library
# has no cmocka, tests/ports/include has so much of it as they use.
tests = apply base buf changes children diff effects effects_signals \
	effects_protected evaluate examples git_index git_trusted glob denial \
	loop owner policy policy_match policy_files policy_read policy_tool proc \
	proc_job profile programs exists_cache probe redact redact_plain denials \
	risk sandbox sandbox_binds sandbox_protect sandbox_spec secret_tree \
	path_table syntax timer_heap
test_programs = $(tests:%=$(O)/test_%.ground)
$(test_programs): $(O)/test_%.ground: $(S)/tests/unit/test_%.c $(O)/libground.a
	$(COMPILE) $(GROUND_INCLUDES) $(LDFLAGS) -o $@ $(filter %.c,$^) \
	    $(O)/libground.a
$(O)/test_syntax.ground: $(S)/tests/unit/syntax_show.c
$(O)/test_apply.ground $(O)/test_changes.ground: $(S)/tests/unit/overlaid.c

agentsh-launch: $(S)/src/sandbox/launch/launch_main.c $(O)/libground.a
	$(COMPILE) $(LDFLAGS) -static -o $@ $^
attacks = tests/sandbox/attack tests/sandbox/refusing
$(attacks): tests/sandbox/%: $(S)/tests/sandbox/%.c
	@mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) -static -o $@ $^

ground: agentsh-launch $(test_programs) $(attacks)
list:
	@echo $(test_programs)
.PHONY: ground list
.DELETE_ON_ERROR:
