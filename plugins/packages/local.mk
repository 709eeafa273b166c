# SPDX-License-Identifier: GPL-3.0-or-later
# Everything but main is a library, for the tests.
noinst_LIBRARIES += plugins/packages/libpackages.a
plugins_packages_libpackages_a_SOURCES = plugins/packages/database.c
plugins_packages_libpackages_a_SOURCES += plugins/packages/database.h
plugins_packages_libpackages_a_SOURCES += plugins/packages/parse.c
PACKAGES_LIBS = plugins/packages/libpackages.a plugins/lib/libplugin.a

plugin_packagesdir = $(plugindir)/packages
plugin_packages_PROGRAMS = plugins/packages/packages
plugins_packages_packages_SOURCES = plugins/packages/main.c
plugins_packages_packages_LDADD = plugins/packages/libpackages.a $(PLUGIN_LIBS)
dist_plugin_packages_DATA = plugins/packages/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/packages/plugin.json
dist_man_MANS += plugins/packages/agentsh-packages.7

UNIT_TESTS += tests/unit/test_packages
tests_unit_test_packages_LDADD = $(PACKAGES_LIBS) $(LDADD)

FUZZERS += tests/fuzz/fuzz_packages
tests_fuzz_fuzz_packages_LDADD = $(PACKAGES_LIBS) $(LDADD)
