# SPDX-License-Identifier: GPL-3.0-or-later
# One folder a tool: its program, its manifest.
PLUGIN_LIBS = libagentsh.a $(CJSON_LIBS)
PLUGIN_LIB_SOURCES = plugins/lib/reply.c plugins/lib/reply.h

plugin_cmd_rundir = $(plugindir)/cmd.run
plugin_cmd_run_PROGRAMS = plugins/cmd.run/cmd.run
plugins_cmd_run_cmd_run_SOURCES = plugins/cmd.run/main.c \
	plugins/cmd.run/command.c plugins/cmd.run/command.h \
	$(PLUGIN_LIB_SOURCES)
plugins_cmd_run_cmd_run_LDADD = $(PLUGIN_LIBS)
dist_plugin_cmd_run_DATA = plugins/cmd.run/plugin.json

# The build tree is laid out as the installed one, so that both run alike.
noinst_DATA += plugins/cmd.run/plugin.json.stamp
CLEANFILES += plugins/cmd.run/plugin.json.stamp
plugins/cmd.run/plugin.json.stamp: plugins/cmd.run/plugin.json
	$(AM_V_GEN)test -e plugins/cmd.run/plugin.json || \
	  cp $< plugins/cmd.run/plugin.json; : >$@
clean-local:
	test "$(srcdir)" = . || rm -f plugins/cmd.run/plugin.json
