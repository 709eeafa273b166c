# SPDX-License-Identifier: GPL-3.0-or-later
# Worked examples, installed as they are for people to read and copy.
pluginexamplesdir = $(docdir)/examples/plugins
EXAMPLE_FILES =
EXAMPLE_FILES += plugins/examples/disk.usage/plugin.json
EXAMPLE_FILES += plugins/examples/disk.usage/disk.usage
EXAMPLE_FILES += plugins/examples/disk.usage/test
EXAMPLE_FILES += plugins/examples/disk.usage/README
EXAMPLE_FILES += plugins/examples/csv.facts/plugin.json
EXAMPLE_FILES += plugins/examples/csv.facts/csv.facts
EXAMPLE_FILES += plugins/examples/csv.facts/test
EXAMPLE_FILES += plugins/examples/csv.facts/README
EXAMPLE_FILES += plugins/examples/elf.facts/plugin.json
EXAMPLE_FILES += plugins/examples/elf.facts/elf.facts.c
EXAMPLE_FILES += plugins/examples/elf.facts/Makefile
EXAMPLE_FILES += plugins/examples/elf.facts/test
EXAMPLE_FILES += plugins/examples/elf.facts/README
EXTRA_DIST += $(EXAMPLE_FILES)

# Each in a directory of its own, the programs as programs.
install-data-local:
	@for f in $(EXAMPLE_FILES); do \
	  d=$${f%/*}; d='$(DESTDIR)$(pluginexamplesdir)'/$${d##*/}; \
	  mode=644; test ! -x "$(srcdir)/$$f" || mode=755; \
	  $(MKDIR_P) "$$d" && \
	    $(INSTALL) -m $$mode "$(srcdir)/$$f" "$$d" || exit 1; \
	done
uninstall-local:
	@for f in $(EXAMPLE_FILES); do \
	  d=$${f%/*}; \
	  rm -f '$(DESTDIR)$(pluginexamplesdir)'/"$${d##*/}/$${f##*/}"; \
	done

SCRIPT_TESTS += tests/plugins/test_kit.py
