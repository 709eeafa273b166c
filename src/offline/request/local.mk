# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/offline/request/request.h src/offline/request/request.c
libagentsh_a_SOURCES += src/offline/request/slot.h src/offline/request/slot.c
libagentsh_a_SOURCES += src/offline/request/words.h src/offline/request/words.c
libagentsh_a_SOURCES += src/offline/request/request_behind.c
libagentsh_a_SOURCES += src/offline/request/request_bound.c
libagentsh_a_SOURCES += src/offline/request/request_context.c
libagentsh_a_SOURCES += src/offline/request/request_divide.c
libagentsh_a_SOURCES += src/offline/request/request_host.c
libagentsh_a_SOURCES += src/offline/request/request_in.h
libagentsh_a_SOURCES += src/offline/request/request_quantity.c
libagentsh_a_SOURCES += src/offline/request/request_read.c
libagentsh_a_SOURCES += src/offline/request/request_reckon.c
libagentsh_a_SOURCES += src/offline/request/request_line.c
libagentsh_a_SOURCES += src/offline/request/request_scan.c
libagentsh_a_SOURCES += src/offline/request/request_shape.c
libagentsh_a_SOURCES += src/offline/request/request_written.c
libagentsh_a_SOURCES += src/offline/request/synonyms.c src/offline/request/synonyms.h
libagentsh_a_SOURCES += src/offline/request/vocabulary.c
libagentsh_a_SOURCES += src/offline/request/words_small.c

