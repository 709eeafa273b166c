# SPDX-License-Identifier: GPL-3.0-or-later
dist_man_MANS += man/agentsh.1 man/ai.1 man/agentsh-config.5

TESTS += tests/check/manual.sh
EXTRA_DIST += tests/check/manual.sh
