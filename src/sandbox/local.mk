# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/sandbox/confine.c src/sandbox/confine.h
libagentsh_a_SOURCES += src/sandbox/denials.c src/sandbox/denials.h
libagentsh_a_SOURCES += src/sandbox/exists_cache.c src/sandbox/exists_cache.h
libagentsh_a_SOURCES += src/sandbox/kernel.h
libagentsh_a_SOURCES += src/sandbox/probe.c src/sandbox/probe.h
libagentsh_a_SOURCES += src/sandbox/probe_machine.c
libagentsh_a_SOURCES += src/sandbox/setup.c src/sandbox/setup.h
libagentsh_a_SOURCES += src/sandbox/setup_links.c
libagentsh_a_SOURCES += src/sandbox/setup_paths.c src/sandbox/setup_paths.h
libagentsh_a_SOURCES += src/sandbox/spec.c src/sandbox/spec.h
libagentsh_a_SOURCES += src/sandbox/launch/binds.c src/sandbox/launch/binds.h
libagentsh_a_SOURCES += src/sandbox/launch/child.c src/sandbox/launch/child.h
libagentsh_a_SOURCES += src/sandbox/launch/kernel_mounts.c \
	src/sandbox/launch/kernel_mounts.h
libagentsh_a_SOURCES += src/sandbox/launch/landlock.c \
	src/sandbox/launch/landlock.h
libagentsh_a_SOURCES += src/sandbox/launch/launch.c src/sandbox/launch/launch.h
libagentsh_a_SOURCES += src/sandbox/launch/limits.c src/sandbox/launch/limits.h
libagentsh_a_SOURCES += src/sandbox/launch/mounts.c src/sandbox/launch/mounts.h
libagentsh_a_SOURCES += src/sandbox/launch/namespaces.c \
	src/sandbox/launch/namespaces.h
libagentsh_a_SOURCES += src/sandbox/launch/prefork.c \
	src/sandbox/launch/prefork.h
libagentsh_a_SOURCES += src/sandbox/launch/prefork_message.c \
	src/sandbox/launch/prefork_message.h
libagentsh_a_SOURCES += src/sandbox/launch/private_network.c \
	src/sandbox/launch/private_network.h
libagentsh_a_SOURCES += src/sandbox/launch/protect.c \
	src/sandbox/launch/protect.h
libagentsh_a_SOURCES += src/sandbox/launch/protect_clean.c
libagentsh_a_SOURCES += src/sandbox/launch/protect_internal.h
libagentsh_a_SOURCES += src/sandbox/launch/protect_keep.c
libagentsh_a_SOURCES += src/sandbox/launch/protect_placeholder.c
libagentsh_a_SOURCES += src/sandbox/launch/protect_named.c
libagentsh_a_SOURCES += src/sandbox/launch/protect_restore.c
libagentsh_a_SOURCES += src/sandbox/launch/protect_tree.c
libagentsh_a_SOURCES += src/sandbox/launch/run_as_owner.c \
	src/sandbox/launch/run_as_owner.h
libagentsh_a_SOURCES += src/sandbox/launch/scratch.c \
	src/sandbox/launch/scratch.h
libagentsh_a_SOURCES += src/sandbox/launch/seccomp_notify.c \
	src/sandbox/launch/seccomp_notify.h
libagentsh_a_SOURCES += src/sandbox/launch/streams.c \
	src/sandbox/launch/streams.h
libagentsh_a_SOURCES += src/sandbox/launch/supervise.c \
	src/sandbox/launch/supervise.h
libagentsh_a_SOURCES += src/sandbox/launch/zygote.c src/sandbox/launch/zygote.h
libagentsh_a_SOURCES += src/sandbox/launch/zygote_client.c \
	src/sandbox/launch/zygote_client.h
libagentsh_a_SOURCES += src/sandbox/preview/additions.c \
	src/sandbox/preview/additions.h
libagentsh_a_SOURCES += src/sandbox/preview/apply.c src/sandbox/preview/apply.h
libagentsh_a_SOURCES += src/sandbox/preview/beneath.c \
	src/sandbox/preview/beneath.h
libagentsh_a_SOURCES += src/sandbox/preview/changes.c \
	src/sandbox/preview/changes.h
libagentsh_a_SOURCES += src/sandbox/preview/changes_list.c \
	src/sandbox/preview/changes_list.h
libagentsh_a_SOURCES += src/sandbox/preview/copy_file.c \
	src/sandbox/preview/copy_file.h
libagentsh_a_SOURCES += src/sandbox/preview/overlay.c \
	src/sandbox/preview/overlay.h
libagentsh_a_SOURCES += src/sandbox/preview/view.c src/sandbox/preview/view.h
libagentsh_a_SOURCES += src/sandbox/preview/view_place.c \
	src/sandbox/preview/view_place.h
libagentsh_a_SOURCES += src/sandbox/preview/workcopy.c \
	src/sandbox/preview/workcopy.h
libagentsh_a_SOURCES += src/sandbox/preview/workcopy_list.c

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

UNIT_TESTS += tests/unit/test_denials
tests_unit_test_denials_SOURCES = tests/unit/test_denials.c
tests_unit_test_denials_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_denials_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_sandbox
tests_unit_test_sandbox_SOURCES = tests/unit/test_sandbox.c
tests_unit_test_sandbox_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_sandbox_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_exists_cache
tests_unit_test_exists_cache_SOURCES = tests/unit/test_exists_cache.c
tests_unit_test_exists_cache_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_exists_cache_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_zygote_client
tests_unit_test_zygote_client_SOURCES = tests/unit/test_zygote_client.c
tests_unit_test_zygote_client_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_zygote_client_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_setup_links
tests_unit_test_setup_links_SOURCES = tests/unit/test_setup_links.c
tests_unit_test_setup_links_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_setup_links_LDADD = $(UNIT_LIBS)

UNIT_TESTS += tests/unit/test_setup
tests_unit_test_setup_SOURCES = tests/unit/test_setup.c
tests_unit_test_setup_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_setup_LDADD = $(UNIT_LIBS)

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
