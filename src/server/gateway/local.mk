# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/gateway/gateway_page.c src/server/gateway/gateway_page.h

# The gateway's page is compiled in.
PAGE_FILES = src/server/gateway/page/index.html \
	src/server/gateway/page/page.css \
	src/server/gateway/page/page_text.js \
	src/server/gateway/page/page_link.js \
	src/server/gateway/page/page_task.js \
	src/server/gateway/page/page_view.js \
	src/server/gateway/page/page_board.js \
	src/server/gateway/page/page_main.js
src/server/gateway/gateway_page_parts.c: tools/page.sh $(PAGE_FILES)
	$(AM_V_GEN)$(MKDIR_P) src/server/gateway && \
	$(SHELL) $(srcdir)/tools/page.sh $(srcdir)/src/server/gateway/page \
	  >$@.new && mv -f $@.new $@
nodist_libagentsh_a_SOURCES += src/server/gateway/gateway_page_parts.c
CLEANFILES += src/server/gateway/gateway_page_parts.c
EXTRA_DIST += tools/page.sh $(PAGE_FILES)

UNIT_TESTS += tests/unit/test_gateway_page
