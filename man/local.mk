# SPDX-License-Identifier: GPL-3.0-or-later
dist_man_MANS += man/agentsh.1 man/agentsh-config.5 man/agentsh-policy.5
dist_man_MANS += man/agentsh-init.1 man/agentsh-mcp.5 man/agentctl.1
dist_man_MANS += man/agentsh-plugin.7 man/agentsh-protocols.7
dist_man_MANS += man/agentsh-recipes.7
if RENAMED
# The short command's page goes by the name that it is installed under.
man1_MANS = man/$(AI_NAME).1
EXTRA_DIST += man/ai.1
CLEANFILES += man/$(AI_NAME).1
man/$(AI_NAME).1: man/ai.1
	$(AM_V_GEN)$(MKDIR_P) man && \
	name=`echo '$(AI_NAME)' | tr '[a-z]' '[A-Z]'` && \
	sed -e '/^\.Nm ai$$/s/ai/$(AI_NAME)/' -e "s/^\.Dt .*/.Dt $$name 1/" \
	  -e '/^\.Dl/s/\<ai /$(AI_NAME) /' '$(srcdir)/man/ai.1' >$@
else
dist_man_MANS += man/ai.1
endif

SCRIPT_TESTS += tests/check/manual.sh
EXTRA_DIST += tests/check/manual.awk
SCRIPT_TESTS += tests/cli/test_recipes_page.py

# The picture in the README: a test makes it anew, and compares.
SCRIPT_TESTS += tests/tty/test_picture.py
EXTRA_DIST += man/review.svg tools/screen_svg.py
