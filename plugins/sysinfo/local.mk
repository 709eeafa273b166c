# SPDX-License-Identifier: GPL-3.0-or-later
# Everything but main is a library, for the tests.
noinst_LIBRARIES += plugins/sysinfo/libsysinfo.a
plugins_sysinfo_libsysinfo_a_SOURCES = plugins/sysinfo/part.c plugins/sysinfo/part.h
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/os.c plugins/sysinfo/os.h
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/virt.c plugins/sysinfo/virt.h
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/cpu.c plugins/sysinfo/cpu.h
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/load.c plugins/sysinfo/load.h
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/memory.c
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/memory.h
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/disks.c
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/disks.h
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/disks_part.c
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/network.c
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/network.h
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/network_part.c
plugins_sysinfo_libsysinfo_a_SOURCES += plugins/sysinfo/gpu.c
SYSINFO_LIBS = plugins/sysinfo/libsysinfo.a plugins/lib/libplugin.a

plugin_sysinfodir = $(plugindir)/sysinfo
plugin_sysinfo_PROGRAMS = plugins/sysinfo/sysinfo
plugins_sysinfo_sysinfo_SOURCES = plugins/sysinfo/main.c
plugins_sysinfo_sysinfo_LDADD = plugins/sysinfo/libsysinfo.a $(PLUGIN_LIBS)
dist_plugin_sysinfo_DATA = plugins/sysinfo/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/sysinfo/plugin.json
dist_man_MANS += plugins/sysinfo/agentsh-sysinfo.7

UNIT_TESTS += tests/unit/test_sysinfo
tests_unit_test_sysinfo_LDADD = $(SYSINFO_LIBS) $(LDADD)

FUZZERS += tests/fuzz/fuzz_sysinfo
tests_fuzz_fuzz_sysinfo_LDADD = $(SYSINFO_LIBS) $(LDADD)
