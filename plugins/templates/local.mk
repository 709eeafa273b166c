# SPDX-License-Identifier: GPL-3.0-or-later
# What `agentsh plugin new` writes is compiled in.
TEMPLATE_FILES =
TEMPLATE_FILES += plugins/templates/sh/plugin.json
TEMPLATE_FILES += plugins/templates/sh/NAME
TEMPLATE_FILES += plugins/templates/sh/test
TEMPLATE_FILES += plugins/templates/sh/README
TEMPLATE_FILES += plugins/templates/python/plugin.json
TEMPLATE_FILES += plugins/templates/python/NAME
TEMPLATE_FILES += plugins/templates/python/test
TEMPLATE_FILES += plugins/templates/python/README
TEMPLATE_FILES += plugins/templates/c/plugin.json
TEMPLATE_FILES += plugins/templates/c/NAME.c.in
TEMPLATE_FILES += plugins/templates/c/Makefile
TEMPLATE_FILES += plugins/templates/c/test
TEMPLATE_FILES += plugins/templates/c/README

src/frontend/cli/template_text.c: plugins/templates/embed.sh $(TEMPLATE_FILES)
	$(AM_V_GEN)$(MKDIR_P) src/frontend/cli && \
	( cd $(srcdir) && $(SHELL) plugins/templates/embed.sh \
	    $(TEMPLATE_FILES) ) >$@.new && mv -f $@.new $@

nodist_agentsh_front_SOURCES = src/frontend/cli/template_text.c
CLEANFILES += src/frontend/cli/template_text.c
EXTRA_DIST += plugins/templates/embed.sh $(TEMPLATE_FILES)
