# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/wish/engine.h
libagentsh_a_SOURCES += src/offline/wish/recipe.h
libagentsh_a_SOURCES += src/offline/wish/request.h
libagentsh_a_SOURCES += src/offline/wish/shortlist.h
libagentsh_a_SOURCES += src/offline/wish/slot.h
libagentsh_a_SOURCES += src/offline/wish/words.h
libagentsh_a_SOURCES += src/offline/wish/index.h

