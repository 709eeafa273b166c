# SPDX-License-Identifier: GPL-3.0-or-later
# make bench: a table of what agentsh costs, beside its peers. Not part of
# make check: its numbers are the machine's as well.
BENCH_ROUNDS = 15
BENCHED = tests/bench/empty$(EXEEXT) tests/bench/measure$(EXEEXT) \
	tests/bench/opens$(EXEEXT) tests/bench/inside$(EXEEXT) \
	tests/bench/spawn$(EXEEXT) tests/bench/spawn_loop$(EXEEXT)
EXTRA_PROGRAMS += tests/bench/empty tests/bench/measure \
	tests/bench/opens tests/bench/inside tests/bench/spawn \
	tests/bench/spawn_loop
tests_bench_empty_LDADD =
tests_bench_measure_LDADD =
tests_bench_spawn_LDADD =
tests_bench_spawn_loop_LDADD =
tests_bench_opens_LDADD =
tests_bench_inside_LDADD = libagentsh.a
# The front's part of a call, which finds the launcher beside its program.
BENCHED += tests/bench/calls$(EXEEXT)
BENCHED += tests/offline/print_parts$(EXEEXT)
BENCHED += tests/bench/agentsh-launch
BENCHED += tests/bench/plugins
EXTRA_PROGRAMS += tests/bench/calls
tests_bench_calls_LDADD = libagentsh.a $(CJSON_LIBS) $(INIH_LIBS) $(ZLIB_LIBS)
# One judgement of a command line, again and again.
BENCHED += tests/bench/judge$(EXEEXT) tests/fix/print_repair$(EXEEXT)
EXTRA_PROGRAMS += tests/bench/judge
tests_bench_judge_LDADD = libagentsh.a $(CJSON_LIBS) $(INIH_LIBS) $(ZLIB_LIBS)
tests/bench/agentsh-launch: agentsh-launch$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) tests/bench && \
	  $(LN_S) -f ../../agentsh-launch$(EXEEXT) $@
tests/bench/plugins: plugins/cmd.run/cmd.run$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) tests/bench && $(LN_S) -f -n ../../plugins $@
CLEANFILES += $(BENCHED)
bench: all $(BENCHED) tests/lib/fastserver$(EXEEXT) stub-server$(EXEEXT)
	@top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' \
	    AI='$(abs_top_builddir)/$(AI_NAME)' \
	    $(PYTHON3) $(top_srcdir)/tests/bench/bench.py \
	    --rounds $(BENCH_ROUNDS) $(BENCH_ROWS)
.PHONY: bench
EXTRA_DIST += \
	tests/bench/bench.py tests/bench/conversation.py \
	tests/bench/servers.py \
	tests/bench/prompts.py \
	tests/bench/table.py \
	tests/bench/sandbox_cost.py \
	tests/bench/tools.py \
	tests/bench/additions.py \
	tests/bench/undo.py \
	tests/bench/journal.py tests/bench/judgements.py \
	tests/bench/repairs.py tests/bench/repl.py
EXTRA_DIST += tests/bench/facts.py tests/bench/bus.py tests/bench/bus_node.mjs
EXTRA_DIST += tests/bench/agentctl.py tests/bench/gateway.py \
	tests/bench/holds.py
EXTRA_DIST += tests/bench/wishes.py
EXTRA_DIST += tests/bench/acp.py tests/bench/acp_client.py \
	tests/bench/acp_model.py tests/bench/guest.py tests/bench/mcp.py tests/bench/mcp_http.py \
	tests/bench/mcp_http_peer.mjs tests/bench/peers.py \
	tests/bench/tool_calls.py
EXTRA_DIST += tests/bench/fix.py

# The peers of the registry of npm, in a cache outside the tree.
bench-peers:
	$(PYTHON3) $(top_srcdir)/tests/bench/peers.py
.PHONY: bench-peers
