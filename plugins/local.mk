# SPDX-License-Identifier: GPL-3.0-or-later
# One folder a tool: its program, its manifest, its manual page. What several
# of them use is in lib/.
noinst_LIBRARIES += plugins/lib/libplugin.a
plugins_lib_libplugin_a_SOURCES =
plugins_lib_libplugin_a_SOURCES += plugins/lib/reply.c plugins/lib/reply.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/request.c plugins/lib/request.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/need.c plugins/lib/need.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/run.c plugins/lib/run.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/text.c plugins/lib/text.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/words.c plugins/lib/words.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/args.c plugins/lib/args.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/attributes.c plugins/lib/attributes.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/backup.c plugins/lib/backup.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/place.c plugins/lib/place.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/place_real.c
plugins_lib_libplugin_a_SOURCES += plugins/lib/replace.c plugins/lib/replace.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/temp.c plugins/lib/temp.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/facts.c plugins/lib/facts.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/machine.c plugins/lib/machine.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/match.c plugins/lib/match.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/netlink.c plugins/lib/netlink.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/span.c plugins/lib/span.h
plugins_lib_libplugin_a_SOURCES += plugins/lib/users.c plugins/lib/users.h
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
clean-local: clean-for-build
	test "$(srcdir)" = . || rm -f plugins/*/plugin.json

plugin_cmd_rundir = $(plugindir)/cmd.run
plugin_cmd_run_PROGRAMS = plugins/cmd.run/cmd.run
plugins_cmd_run_cmd_run_SOURCES = plugins/cmd.run/main.c \
	plugins/cmd.run/alone.c plugins/cmd.run/alone.h \
	plugins/cmd.run/command.c plugins/cmd.run/command.h
plugins_cmd_run_cmd_run_LDADD = $(PLUGIN_LIBS)
dist_plugin_cmd_run_DATA = plugins/cmd.run/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/cmd.run/plugin.json
dist_man_MANS += plugins/cmd.run/agentsh-cmd.run.7

plugin_fs_read_filedir = $(plugindir)/fs.read_file
plugin_fs_read_file_PROGRAMS = plugins/fs.read_file/fs.read_file
plugins_fs_read_file_fs_read_file_SOURCES = plugins/fs.read_file/main.c \
	plugins/fs.read_file/piece.c plugins/fs.read_file/piece.h
plugins_fs_read_file_fs_read_file_LDADD = $(PLUGIN_LIBS)
dist_plugin_fs_read_file_DATA = plugins/fs.read_file/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/fs.read_file/plugin.json
dist_man_MANS += plugins/fs.read_file/agentsh-fs.read_file.7

plugin_fs_write_filedir = $(plugindir)/fs.write_file
plugin_fs_write_file_PROGRAMS = plugins/fs.write_file/fs.write_file
plugins_fs_write_file_fs_write_file_SOURCES = plugins/fs.write_file/main.c
plugins_fs_write_file_fs_write_file_LDADD = $(PLUGIN_LIBS)
dist_plugin_fs_write_file_DATA = plugins/fs.write_file/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/fs.write_file/plugin.json
dist_man_MANS += plugins/fs.write_file/agentsh-fs.write_file.7

plugin_fs_list_dirdir = $(plugindir)/fs.list_dir
plugin_fs_list_dir_PROGRAMS = plugins/fs.list_dir/fs.list_dir
plugins_fs_list_dir_fs_list_dir_SOURCES = plugins/fs.list_dir/main.c \
	plugins/fs.list_dir/entry.c plugins/fs.list_dir/entry.h \
	plugins/fs.list_dir/names.c plugins/fs.list_dir/names.h
plugins_fs_list_dir_fs_list_dir_LDADD = $(PLUGIN_LIBS)
dist_plugin_fs_list_dir_DATA = plugins/fs.list_dir/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/fs.list_dir/plugin.json
dist_man_MANS += plugins/fs.list_dir/agentsh-fs.list_dir.7

plugin_fs_edit_filedir = $(plugindir)/fs.edit_file
plugin_fs_edit_file_PROGRAMS = plugins/fs.edit_file/fs.edit_file
plugins_fs_edit_file_fs_edit_file_SOURCES = plugins/fs.edit_file/main.c \
	plugins/fs.edit_file/change.c plugins/fs.edit_file/change.h \
	plugins/fs.edit_file/edits.c plugins/fs.edit_file/edits.h
plugins_fs_edit_file_fs_edit_file_LDADD = $(PLUGIN_LIBS)
dist_plugin_fs_edit_file_DATA = plugins/fs.edit_file/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/fs.edit_file/plugin.json
dist_man_MANS += plugins/fs.edit_file/agentsh-fs.edit_file.7

plugin_fs_delete_filedir = $(plugindir)/fs.delete_file
plugin_fs_delete_file_PROGRAMS = plugins/fs.delete_file/fs.delete_file
plugins_fs_delete_file_fs_delete_file_SOURCES = plugins/fs.delete_file/main.c
plugins_fs_delete_file_fs_delete_file_LDADD = $(PLUGIN_LIBS)
dist_plugin_fs_delete_file_DATA = plugins/fs.delete_file/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/fs.delete_file/plugin.json
dist_man_MANS += plugins/fs.delete_file/agentsh-fs.delete_file.7

UNIT_TESTS += \
	tests/unit/test_inventory \
	tests/unit/test_place \
	tests/unit/test_reply_need \
	tests/unit/test_request \
	tests/unit/test_svc_state
tests_unit_test_request_LDADD = plugins/lib/libplugin.a $(LDADD)
FUZZERS += \
	tests/fuzz/fuzz_inventory \
	tests/fuzz/fuzz_reply_need \
	tests/fuzz/fuzz_request \
	tests/fuzz/fuzz_svc_state
tests_fuzz_fuzz_request_LDADD = plugins/lib/libplugin.a $(LDADD)

# Packages, by whichever manager is here.
plugin_pkg_managedir = $(plugindir)/pkg.manage
plugin_pkg_manage_PROGRAMS = plugins/pkg.manage/pkg.manage
plugins_pkg_manage_pkg_manage_SOURCES = plugins/pkg.manage/main.c
plugins_pkg_manage_pkg_manage_SOURCES += plugins/pkg.manage/args.c \
	plugins/pkg.manage/args.h
plugins_pkg_manage_pkg_manage_SOURCES += plugins/pkg.manage/change.c \
	plugins/pkg.manage/change.h
plugins_pkg_manage_pkg_manage_SOURCES += plugins/pkg.manage/inventory.c \
	plugins/pkg.manage/inventory.h
plugins_pkg_manage_pkg_manage_SOURCES += plugins/pkg.manage/package_reversal.c \
	plugins/pkg.manage/package_reversal.h
plugins_pkg_manage_pkg_manage_SOURCES += plugins/pkg.manage/manager.c \
	plugins/pkg.manage/manager.h
plugins_pkg_manage_pkg_manage_LDADD = $(PLUGIN_LIBS)
dist_plugin_pkg_manage_DATA = plugins/pkg.manage/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/pkg.manage/plugin.json
dist_man_MANS += plugins/pkg.manage/agentsh-pkg.manage.7
include plugins/sysinfo/local.mk
include plugins/services/local.mk
include plugins/packages/local.mk
include plugins/words/local.mk
include plugins/templates/local.mk
include plugins/examples/local.mk

# Services, of whatever starts them here.
plugin_svc_managedir = $(plugindir)/svc.manage
plugin_svc_manage_PROGRAMS = plugins/svc.manage/svc.manage
plugins_svc_manage_svc_manage_SOURCES = plugins/svc.manage/main.c
plugins_svc_manage_svc_manage_SOURCES += plugins/svc.manage/act.c \
	plugins/svc.manage/act.h
plugins_svc_manage_svc_manage_SOURCES += plugins/svc.manage/init.c \
	plugins/svc.manage/init.h
plugins_svc_manage_svc_manage_SOURCES += plugins/svc.manage/look.c \
	plugins/svc.manage/look.h
plugins_svc_manage_svc_manage_SOURCES += plugins/svc.manage/service_reversal.c \
	plugins/svc.manage/service_reversal.h
plugins_svc_manage_svc_manage_SOURCES += plugins/svc.manage/state.c \
	plugins/svc.manage/state.h
plugins_svc_manage_svc_manage_SOURCES += plugins/svc.manage/units.c \
	plugins/svc.manage/units.h
plugins_svc_manage_svc_manage_LDADD = $(PLUGIN_LIBS)
dist_plugin_svc_manage_DATA = plugins/svc.manage/plugin.json
PLUGIN_MANIFESTS += $(srcdir)/plugins/svc.manage/plugin.json
dist_man_MANS += plugins/svc.manage/agentsh-svc.manage.7

# Managers: the real apt and real init scripts in a root file system that is
# thrown away; fakes that replay transcripts for what is not on this machine.
SCRIPT_TESTS += \
	tests/plugins/test_broken.py \
	tests/plugins/test_cmd_run.py \
	tests/plugins/test_fake_managers.py \
	tests/plugins/test_fs_delete.py \
	tests/plugins/test_fs_edit.py \
	tests/plugins/test_fs_list.py \
	tests/plugins/test_fs_race.py \
	tests/plugins/test_fs_read.py \
	tests/plugins/test_fs_write.py \
	tests/plugins/test_real_managers.py \
	tests/plugins/test_undo_machine.py
EXTRA_DIST += tests/plugins/front.py
EXTRA_DIST += tests/plugins/throwaway.py
EXTRA_DIST += tests/plugins/fake-program
EXTRA_DIST += tests/plugins/fake-transcripts
# Plugins that are broken, and what is said of each.
EXTRA_DIST += tests/plugins/broken
# The tools of files, as the front speaks to them.
EXTRA_DIST += tests/plugins/fs.py
tests_unit_test_place_LDADD = plugins/lib/libplugin.a $(LDADD)

tests_unit_test_reply_need_LDADD = plugins/lib/libplugin.a $(LDADD)
tests_fuzz_fuzz_reply_need_LDADD = plugins/lib/libplugin.a $(LDADD)

tests_unit_test_inventory_SOURCES = tests/unit/test_inventory.c \
	plugins/pkg.manage/inventory.c plugins/pkg.manage/manager.c
tests_unit_test_inventory_LDADD = plugins/lib/libplugin.a $(LDADD)
tests_fuzz_fuzz_inventory_SOURCES = tests/fuzz/fuzz_inventory.c \
	plugins/pkg.manage/inventory.c
tests_fuzz_fuzz_inventory_LDADD = plugins/lib/libplugin.a $(LDADD)

tests_unit_test_svc_state_SOURCES = tests/unit/test_svc_state.c \
	plugins/svc.manage/state.c
tests_fuzz_fuzz_svc_state_SOURCES = tests/fuzz/fuzz_svc_state.c \
	plugins/svc.manage/state.c
