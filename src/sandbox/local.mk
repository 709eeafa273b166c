# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/sandbox/launch/launch.c src/sandbox/launch/launch.h
libagentsh_a_SOURCES += src/sandbox/present.c src/sandbox/present.h
libagentsh_a_SOURCES += src/sandbox/probe.c src/sandbox/probe.h
libagentsh_a_SOURCES += src/sandbox/probe_machine.c
libagentsh_a_SOURCES += src/sandbox/probe_try.c src/sandbox/probe_try.h
libagentsh_a_SOURCES += src/sandbox/site.c src/sandbox/site.h
libagentsh_a_SOURCES += src/sandbox/site_closed.c
libagentsh_a_SOURCES += src/sandbox/site_links.c
libagentsh_a_SOURCES += src/sandbox/site_paths.c src/sandbox/site_paths.h
libagentsh_a_SOURCES += src/sandbox/confine.c src/sandbox/confine.h
libagentsh_a_SOURCES += src/sandbox/refused.c src/sandbox/refused.h
libagentsh_a_SOURCES += src/sandbox/spare.c src/sandbox/spare.h
libagentsh_a_SOURCES += src/sandbox/launch/brief.c src/sandbox/launch/brief.h
libagentsh_a_SOURCES += src/sandbox/launch/ready.c src/sandbox/launch/ready.h
libagentsh_a_SOURCES += src/sandbox/launch/wait.c src/sandbox/launch/wait.h
libagentsh_a_SOURCES += src/sandbox/spec.c src/sandbox/spec.h
libagentsh_a_SOURCES += src/sandbox/preview/overlay.c src/sandbox/preview/overlay.h
libagentsh_a_SOURCES += src/sandbox/preview/beneath.c src/sandbox/preview/beneath.h
libagentsh_a_SOURCES += src/sandbox/preview/changes.c src/sandbox/preview/changes.h
libagentsh_a_SOURCES += src/sandbox/preview/changes_in.h
libagentsh_a_SOURCES += src/sandbox/preview/changes_list.c
libagentsh_a_SOURCES += src/sandbox/preview/changes_same.c
libagentsh_a_SOURCES += src/sandbox/preview/changes_upper.c
libagentsh_a_SOURCES += src/sandbox/kernel.h
libagentsh_a_SOURCES += src/sandbox/mount_calls.h
libagentsh_a_SOURCES += src/sandbox/layer.c src/sandbox/layer.h
libagentsh_a_SOURCES += src/sandbox/launch/binds.c src/sandbox/launch/binds.h
libagentsh_a_SOURCES += src/sandbox/launch/pins.c
libagentsh_a_SOURCES += src/sandbox/launch/mounts.c src/sandbox/launch/mounts.h
libagentsh_a_SOURCES += src/sandbox/launch/protect.c src/sandbox/launch/protect.h
libagentsh_a_SOURCES += src/sandbox/launch/protect_clean.c
libagentsh_a_SOURCES += src/sandbox/launch/protect_git.c
libagentsh_a_SOURCES += src/sandbox/launch/protect_keep.c
libagentsh_a_SOURCES += src/sandbox/launch/protect_loan.c
libagentsh_a_SOURCES += src/sandbox/launch/protect_restore.c
libagentsh_a_SOURCES += src/sandbox/launch/owner.c src/sandbox/launch/owner.h
libagentsh_a_SOURCES += src/sandbox/launch/protect_named.c
libagentsh_a_SOURCES += src/sandbox/launch/mounts_own.c
libagentsh_a_SOURCES += src/sandbox/launch/mounts_own.h
libagentsh_a_SOURCES += src/sandbox/launch/protect_in.h
libagentsh_a_SOURCES += src/sandbox/launch/landlock.c src/sandbox/launch/landlock.h
libagentsh_a_SOURCES += src/sandbox/launch/scratch.c src/sandbox/launch/scratch.h
libagentsh_a_SOURCES += src/sandbox/launch/limits.c src/sandbox/launch/limits.h
libagentsh_a_SOURCES += src/sandbox/launch/inside.c src/sandbox/launch/inside.h
libagentsh_a_SOURCES += src/sandbox/launch/namespaces.c src/sandbox/launch/namespaces.h
libagentsh_a_SOURCES += src/sandbox/launch/reaper.c src/sandbox/launch/reaper.h
libagentsh_a_SOURCES += src/sandbox/launch/network.c src/sandbox/launch/network.h
libagentsh_a_SOURCES += src/sandbox/launch/notify.c src/sandbox/launch/notify.h
libagentsh_a_SOURCES += src/sandbox/launch/supervise.c src/sandbox/launch/supervise.h
libagentsh_a_SOURCES += src/sandbox/launch/terminal.c src/sandbox/launch/terminal.h
libagentsh_a_SOURCES += src/sandbox/launch/streams.c src/sandbox/launch/streams.h
libagentsh_a_SOURCES += src/sandbox/preview/additions.c src/sandbox/preview/additions.h
libagentsh_a_SOURCES += src/sandbox/preview/additions_git.c src/sandbox/preview/additions_git.h
libagentsh_a_SOURCES += src/sandbox/preview/apply.c src/sandbox/preview/apply.h
libagentsh_a_SOURCES += src/sandbox/preview/apply_check.c
libagentsh_a_SOURCES += src/sandbox/preview/apply_copy.c
libagentsh_a_SOURCES += src/sandbox/preview/apply_in.h
libagentsh_a_SOURCES += src/sandbox/preview/changes_below.c
libagentsh_a_SOURCES += src/sandbox/preview/view.c src/sandbox/preview/view.h
libagentsh_a_SOURCES += src/sandbox/preview/view_in.h
libagentsh_a_SOURCES += src/sandbox/preview/view_new.c
libagentsh_a_SOURCES += src/sandbox/preview/workcopy.c src/sandbox/preview/workcopy.h
libagentsh_a_SOURCES += src/sandbox/preview/workcopy_list.c
libagentsh_a_SOURCES += src/sandbox/preview/view_place.c

# The filters are made where they are built: libseccomp is not needed later.
MKFILTER_SOURCES = src/sandbox/mkfilter.c \
	src/sandbox/bans.c src/sandbox/bans.h \
	src/sandbox/shorten.c src/sandbox/shorten.h \
	src/sandbox/shorten_same.c \
	src/sandbox/target.c src/sandbox/target.h
if CROSS
src/sandbox/mkfilter: $(MKFILTER_SOURCES)
	+$(FOR_BUILD) $@
else
noinst_PROGRAMS += src/sandbox/mkfilter
src_sandbox_mkfilter_SOURCES = $(MKFILTER_SOURCES)
src_sandbox_mkfilter_CFLAGS = $(AM_CFLAGS) $(SECCOMP_CFLAGS)
src_sandbox_mkfilter_LDADD = $(SECCOMP_LIBS)
endif
BUILT_SOURCES += src/sandbox/filters.h
CLEANFILES += src/sandbox/filters.h
src/sandbox/filters.h: src/sandbox/mkfilter$(EXEEXT)
	$(AM_V_GEN)src/sandbox/mkfilter$(EXEEXT) $(host_cpu) >$@.tmp && mv $@.tmp $@

pkglibexec_PROGRAMS += agentsh-launch
agentsh_launch_SOURCES = src/sandbox/launch/launch_main.c
agentsh_launch_LDADD = libagentsh.a
if !SANITIZE
agentsh_launch_LDFLAGS = $(AM_LDFLAGS) -static
endif

UNIT_TESTS += tests/unit/test_shorten
tests_unit_test_shorten_SOURCES = tests/unit/test_shorten.c \
	src/sandbox/shorten.c src/sandbox/shorten.h \
	src/sandbox/shorten_same.c
tests_unit_test_shorten_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_shorten_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_refused
tests_unit_test_refused_SOURCES = tests/unit/test_refused.c
tests_unit_test_refused_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_refused_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_sandbox
tests_unit_test_sandbox_SOURCES = tests/unit/test_sandbox.c
tests_unit_test_sandbox_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sandbox_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_present
tests_unit_test_present_SOURCES = tests/unit/test_present.c
tests_unit_test_present_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_present_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_spare
tests_unit_test_spare_SOURCES = tests/unit/test_spare.c
tests_unit_test_spare_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_spare_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_site_links
tests_unit_test_site_links_SOURCES = tests/unit/test_site_links.c
tests_unit_test_site_links_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_site_links_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_site
tests_unit_test_site_SOURCES = tests/unit/test_site.c
tests_unit_test_site_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_site_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_sandbox_spec
tests_unit_test_sandbox_spec_SOURCES = tests/unit/test_sandbox_spec.c
tests_unit_test_sandbox_spec_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sandbox_spec_LDADD = $(UNIT_LIBS)


UNIT_TESTS += tests/unit/test_sandbox_protect
tests_unit_test_sandbox_protect_SOURCES = tests/unit/test_sandbox_protect.c
tests_unit_test_sandbox_protect_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sandbox_protect_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_sandbox_binds
tests_unit_test_sandbox_binds_SOURCES = tests/unit/test_sandbox_binds.c
tests_unit_test_sandbox_binds_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sandbox_binds_LDADD = $(UNIT_LIBS)

FUZZERS += tests/fuzz/fuzz_spec
tests_fuzz_fuzz_spec_SOURCES = tests/fuzz/fuzz_spec.c
tests_fuzz_fuzz_spec_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus/spec/number \
	tests/fuzz/corpus/spec/path \
	tests/fuzz/corpus/spec/short \
	tests/fuzz/corpus/spec/whole
UNIT_TESTS += tests/unit/test_changes
tests_unit_test_changes_SOURCES = tests/unit/test_changes.c \
	tests/unit/overlaid.c tests/unit/overlaid.h
tests_unit_test_changes_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_changes_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_workcopy
tests_unit_test_workcopy_SOURCES = tests/unit/test_workcopy.c \
	tests/unit/overlaid.c tests/unit/overlaid.h
tests_unit_test_workcopy_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_workcopy_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_apply
tests_unit_test_apply_SOURCES = tests/unit/test_apply.c \
	tests/unit/overlaid.c tests/unit/overlaid.h
tests_unit_test_apply_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_apply_LDADD = $(UNIT_LIBS)

src/sandbox/confine.$(OBJEXT): src/sandbox/filters.h

UNIT_TESTS += tests/unit/test_probe
tests_unit_test_probe_SOURCES = tests/unit/test_probe.c
tests_unit_test_probe_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_probe_LDADD = $(UNIT_LIBS)

# Attempts to leave the sandbox, and what the launcher promises.
check_PROGRAMS += tests/sandbox/attack
tests_sandbox_attack_SOURCES = tests/sandbox/attack.c
check_PROGRAMS += tests/sandbox/refusing
tests_sandbox_refusing_SOURCES = tests/sandbox/refusing.c
if !SANITIZE
tests_sandbox_attack_LDFLAGS = $(AM_LDFLAGS) -static
endif
TESTS += tests/sandbox/escapes.py tests/sandbox/git.py tests/sandbox/jobs.py \
	tests/sandbox/launch.py tests/sandbox/workspace.py
EXTRA_DIST += tests/sandbox/escapes.py tests/sandbox/git.py \
	tests/sandbox/jobs.py \
	tests/sandbox/launch.py \
	tests/sandbox/place.py \
	tests/sandbox/workspace.py
