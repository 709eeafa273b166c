# SPDX-License-Identifier: GPL-3.0-or-later

EXTRA_DIST += src/offline/recipes/README
EXTRA_DIST += src/offline/recipes/files.txt
EXTRA_DIST += src/offline/recipes/directories.txt
EXTRA_DIST += src/offline/recipes/links.txt
EXTRA_DIST += src/offline/recipes/permissions.txt
EXTRA_DIST += src/offline/recipes/search.txt
EXTRA_DIST += src/offline/recipes/text.txt
EXTRA_DIST += src/offline/recipes/lines.txt
EXTRA_DIST += src/offline/recipes/columns.txt
EXTRA_DIST += src/offline/recipes/compare.txt
