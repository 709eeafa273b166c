# SPDX-License-Identifier: GPL-3.0-or-later
# The prompts are compiled in: nothing is read from disk to ask a model.
PROMPT_FILES = \
	prompts/aiaction.schema.json \
	prompts/came.txt \
	prompts/context.txt \
	prompts/do.txt \
	prompts/example.txt \
	prompts/explain.txt \
	prompts/input.txt \
	prompts/look.txt \
	prompts/offer.txt \
	prompts/recipes.txt \
	prompts/repair.txt \
	prompts/result.txt \
	prompts/revise.txt \
	prompts/run.txt \
	prompts/steps.txt \
	prompts/system.txt \
	prompts/tools.txt

src/model/prompt_text.c: prompts/embed.sh $(PROMPT_FILES)
	$(AM_V_GEN)$(MKDIR_P) src/model && \
	$(SHELL) $(srcdir)/prompts/embed.sh $(srcdir)/prompts >$@.new && \
	mv -f $@.new $@

nodist_libagentsh_a_SOURCES += src/model/prompt_text.c
CLEANFILES += src/model/prompt_text.c
EXTRA_DIST += prompts/embed.sh $(PROMPT_FILES)
