# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/sandbox/confine.c src/sandbox/confine.h \
	src/sandbox/denials.c src/sandbox/denials.h \
	src/sandbox/exists_cache.c src/sandbox/exists_cache.h \
	src/sandbox/kernel.h \
	src/sandbox/launch/binds.c src/sandbox/launch/binds.h \
	src/sandbox/launch/child.c src/sandbox/launch/child.h \
	src/sandbox/launch/kernel_mounts.c src/sandbox/launch/kernel_mounts.h \
	src/sandbox/launch/landlock.c src/sandbox/launch/landlock.h \
	src/sandbox/launch/launch.c src/sandbox/launch/launch.h \
	src/sandbox/launch/limits.c src/sandbox/launch/limits.h \
	src/sandbox/launch/mounts.c src/sandbox/launch/mounts.h \
	src/sandbox/launch/namespaces.c src/sandbox/launch/namespaces.h \
	src/sandbox/launch/prefork.c src/sandbox/launch/prefork.h \
	src/sandbox/launch/prefork_message.c \
	src/sandbox/launch/prefork_message.h \
	src/sandbox/launch/private_network.c \
	src/sandbox/launch/private_network.h \
	src/sandbox/protect/protect.c src/sandbox/protect/protect.h \
	src/sandbox/protect/protect_clean.c \
	src/sandbox/protect/protect_internal.h \
	src/sandbox/protect/protect_keep.c \
	src/sandbox/protect/protect_named.c \
	src/sandbox/protect/protect_placeholder.c \
	src/sandbox/protect/protect_restore.c \
	src/sandbox/protect/protect_tree.c \
	src/sandbox/launch/run_as_owner.c src/sandbox/launch/run_as_owner.h \
	src/sandbox/launch/scratch.c src/sandbox/launch/scratch.h \
	src/sandbox/launch/seccomp_notify.c \
	src/sandbox/launch/seccomp_notify.h \
	src/sandbox/launch/streams.c src/sandbox/launch/streams.h \
	src/sandbox/launch/supervise.c src/sandbox/launch/supervise.h \
	src/sandbox/launch/zygote.c src/sandbox/launch/zygote.h \
	src/sandbox/launch/zygote_client.c src/sandbox/launch/zygote_client.h \
	src/sandbox/preview/additions.c src/sandbox/preview/additions.h \
	src/sandbox/preview/apply.c src/sandbox/preview/apply.h \
	src/sandbox/preview/beneath.c src/sandbox/preview/beneath.h \
	src/sandbox/preview/changes.c src/sandbox/preview/changes.h \
	src/sandbox/preview/changes_list.c src/sandbox/preview/changes_list.h \
	src/sandbox/preview/copy_file.c src/sandbox/preview/copy_file.h \
	src/sandbox/preview/overlay.c src/sandbox/preview/overlay.h \
	src/sandbox/preview/view.c src/sandbox/preview/view.h \
	src/sandbox/preview/view_place.c src/sandbox/preview/view_place.h \
	src/sandbox/preview/workcopy.c src/sandbox/preview/workcopy.h \
	src/sandbox/preview/workcopy_list.c \
	src/sandbox/orphans.c src/sandbox/orphans.h \
	src/sandbox/probe.c src/sandbox/probe.h \
	src/sandbox/probe_machine.c \
	src/sandbox/setup.c src/sandbox/setup.h \
	src/sandbox/setup_links.c \
	src/sandbox/setup_paths.c src/sandbox/setup_paths.h \
	src/sandbox/setup_stamps.c src/sandbox/setup_stamps.h \
	src/sandbox/spec.c src/sandbox/spec.h

# The filters are compiled when agentsh is built, so that libseccomp is not
# needed later.
MKFILTER_SOURCES = src/sandbox/build/mkfilter.c \
	src/sandbox/build/denylist.c src/sandbox/build/denylist.h \
	src/sandbox/build/target.c src/sandbox/build/target.h
if CROSS
src/sandbox/build/mkfilter: $(MKFILTER_SOURCES)
	+$(FOR_BUILD) $@
else
noinst_PROGRAMS += src/sandbox/build/mkfilter
src_sandbox_build_mkfilter_SOURCES = $(MKFILTER_SOURCES)
src_sandbox_build_mkfilter_CFLAGS = $(AM_CFLAGS) $(SECCOMP_CFLAGS)
src_sandbox_build_mkfilter_LDADD = $(SECCOMP_LIBS)
endif
BUILT_SOURCES += src/sandbox/filters.h
CLEANFILES += src/sandbox/filters.h
src/sandbox/filters.h: src/sandbox/build/mkfilter$(EXEEXT)
	$(AM_V_GEN)src/sandbox/build/mkfilter$(EXEEXT) $(host_cpu) >$@.tmp && mv $@.tmp $@

pkglibexec_PROGRAMS += agentsh-launch
agentsh_launch_SOURCES = src/sandbox/launch/launch_main.c
agentsh_launch_LDADD = libagentsh.a
if !SANITIZE
agentsh_launch_LDFLAGS = $(AM_LDFLAGS) -static
endif

UNIT_TESTS += \
	tests/unit/test_apply \
	tests/unit/test_changes \
	tests/unit/test_denials \
	tests/unit/test_exists_cache \
	tests/unit/test_orphans \
	tests/unit/test_probe \
	tests/unit/test_sandbox \
	tests/unit/test_sandbox_binds \
	tests/unit/test_sandbox_protect \
	tests/unit/test_sandbox_spec \
	tests/unit/test_setup \
	tests/unit/test_setup_links \
	tests/unit/test_setup_stamps \
	tests/unit/test_workcopy \
	tests/unit/test_zygote_client

FUZZERS += tests/fuzz/fuzz_spec
tests_unit_test_changes_SOURCES = tests/unit/test_changes.c \
	tests/unit/overlaid.c tests/unit/overlaid.h

tests_unit_test_workcopy_SOURCES = tests/unit/test_workcopy.c \
	tests/unit/overlaid.c tests/unit/overlaid.h

tests_unit_test_apply_SOURCES = tests/unit/test_apply.c \
	tests/unit/overlaid.c tests/unit/overlaid.h

src/sandbox/confine.$(OBJEXT): src/sandbox/filters.h

# Attempts to leave the sandbox, and what the launcher promises.
check_PROGRAMS += tests/sandbox/attack tests/sandbox/refusing
tests_sandbox_attack_LDADD =
tests_sandbox_refusing_LDADD =
if !SANITIZE
tests_sandbox_attack_LDFLAGS = $(AM_LDFLAGS) -static
endif
SCRIPT_TESTS += \
	tests/sandbox/escapes.py \
	tests/sandbox/git.py \
	tests/sandbox/jobs.py \
	tests/sandbox/launch.py \
	tests/sandbox/pipes.py \
	tests/sandbox/workspace.py
EXTRA_DIST += tests/sandbox/place.py
