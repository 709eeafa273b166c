# SPDX-License-Identifier: GPL-3.0-or-later
# One folder a tool: its program, its manifest, its manual page. What several
# of them use is in lib/.
noinst_LIBRARIES += plugins/lib/libplugin.a
plugins_lib_libplugin_a_SOURCES =
plugins_lib_libplugin_a_SOURCES += plugins/lib/reply.c plugins/lib/reply.h
PLUGIN_LIBS = plugins/lib/libplugin.a libagentsh.a $(CJSON_LIBS)

# The build tree is laid out as the installed one, so that both run alike: the
# manifests are copied beside the programs. They are named with $(srcdir), lest
# make take the copy for the source.
PLUGIN_MANIFESTS =
noinst_DATA += plugins/manifests.stamp
CLEANFILES += plugins/manifests.stamp
plugins/manifests.stamp: $(PLUGIN_MANIFESTS)
	$(AM_V_GEN)for f in $(PLUGIN_MANIFESTS); do \
	  d=$${f%/*}; d=plugins/$${d##*/}; \
	  test "$(srcdir)" = . || { $(MKDIR_P) "$$d" && cp -f "$$f" "$$d"; } || \
	    exit 1; \
	done; : >$@
clean-local:
	test "$(srcdir)" = . || rm -f plugins/*/plugin.json

plugin_cmd_rundir = $(plugindir)/cmd.run
plugin_cmd_run_PROGRAMS = plugins/cmd.run/cmd.run
plugins_cmd_run_cmd_run_SOURCES = plugins/cmd.run/main.c \
	plugins/cmd.run/command.c plugins/cmd.run/command.h
plugins_cmd_run_cmd_run_LDADD = $(PLUGIN_LIBS)
dist_plugin_cmd_run_DATA = plugins/cmd.run/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/cmd.run/plugin.json
