# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/term/clip.h \
	src/term/escape.h \
	src/term/filter.h \
	src/term/live.h \
	src/term/markdown.h \
	src/term/menu.h \
	src/term/style.h \
	src/term/term.h \
	src/term/width.h
