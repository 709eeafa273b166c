# SPDX-License-Identifier: GPL-3.0-or-later
# Everything but main is a library, for the tests.
noinst_LIBRARIES += plugins/services/libservices.a
plugins_services_libservices_a_SOURCES = plugins/services/report.c
plugins_services_libservices_a_SOURCES += plugins/services/report.h
plugins_services_libservices_a_SOURCES += plugins/services/listeners.c
plugins_services_libservices_a_SOURCES += plugins/services/listeners.h
plugins_services_libservices_a_SOURCES += plugins/services/owners.c
plugins_services_libservices_a_SOURCES += plugins/services/owners.h
plugins_services_libservices_a_SOURCES += plugins/services/systemd.c
plugins_services_libservices_a_SOURCES += plugins/services/units.c
plugins_services_libservices_a_SOURCES += plugins/services/units.h
SERVICES_LIBS = plugins/services/libservices.a plugins/lib/libplugin.a

plugin_servicesdir = $(plugindir)/services
plugin_services_PROGRAMS = plugins/services/services
plugins_services_services_SOURCES = plugins/services/main.c
plugins_services_services_LDADD = plugins/services/libservices.a $(PLUGIN_LIBS)
dist_plugin_services_DATA = plugins/services/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/services/plugin.json
dist_man_MANS += plugins/services/agentsh-services.7

UNIT_TESTS += tests/unit/test_services
tests_unit_test_services_LDADD = $(SERVICES_LIBS) $(LDADD)

FUZZERS += tests/fuzz/fuzz_services
tests_fuzz_fuzz_services_LDADD = $(SERVICES_LIBS) $(LDADD)
