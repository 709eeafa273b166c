# SPDX-License-Identifier: GPL-3.0-or-later
# What agentsh says to a person, listed for translation.
EXTRA_DIST += po/agentsh.pot po/messages.sh po/messages.awk po/reasons.awk \
	po/tables

messages:
	$(AM_V_GEN)$(SHELL) $(srcdir)/po/messages.sh $(srcdir) >agentsh.pot && \
	  mv -f agentsh.pot $(srcdir)/po/agentsh.pot
.PHONY: messages
