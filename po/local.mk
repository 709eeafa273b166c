# SPDX-License-Identifier: GPL-3.0-or-later
# What agentsh says to a person, listed for translation, and the translations
# of what is shown. A language is a file po/LANGUAGE.po and a word here.
LINGUAS = de
EXTRA_DIST += po/agentsh.pot po/messages.sh po/messages.awk po/reasons.awk \
	po/stanzas.awk po/rows.awk po/tables po/shown.pot po/shown.py po/system \
	po/english po/de.po

# The catalogues lie in the build tree as when installed.
if HAVE_MSGFMT
catalogue_dedir = $(localedir)/de/LC_MESSAGES
nodist_catalogue_de_DATA = po/de/LC_MESSAGES/agentsh.mo
CLEANFILES += po/de/LC_MESSAGES/agentsh.mo
po/de/LC_MESSAGES/agentsh.mo: po/de.po
	$(AM_V_GEN)$(MKDIR_P) po/de/LC_MESSAGES && \
	$(MSGFMT) -o $@ '$(srcdir)/po/de.po'
endif

# A catalogue gets the new messages, untranslated, and keeps what it has.
messages:
	$(AM_V_GEN)$(SHELL) $(srcdir)/po/messages.sh $(srcdir) >agentsh.pot && \
	  mv -f agentsh.pot $(srcdir)/po/agentsh.pot && \
	  $(PYTHON3) $(srcdir)/po/shown.py $(srcdir) >shown.pot && \
	  mv -f shown.pot $(srcdir)/po/shown.pot && \
	  for l in $(LINGUAS); do \
	    msgmerge -q --no-fuzzy-matching --no-wrap --update --backup=none \
	      --sort-by-file --add-location=file $(srcdir)/po/$$l.po $(srcdir)/po/shown.pot || \
	      exit 1; \
	  done
.PHONY: messages

SCRIPT_TESTS += tests/tty/test_german.py
