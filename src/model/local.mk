# SPDX-License-Identifier: GPL-3.0-or-later
# The front's half and what both halves share.
libagentsh_a_SOURCES += \
	src/model/anthropic.c \
	src/model/choose.h \
	src/model/client.h \
	src/model/context.h \
	src/model/fault.c src/model/fault.h \
	src/model/fault_quirk.c \
	src/model/fault_tell.c \
	src/model/gemini.c \
	src/model/ollama.c \
	src/model/openai.c \
	src/model/prompt.c src/model/prompt.h \
	src/model/provider.c src/model/provider.h \
	src/model/reply.c src/model/reply.h \
	src/model/sse.c src/model/sse.h \
	src/model/stream.c src/model/stream.h \
	src/model/variant.c src/model/variant.h

UNIT_TESTS += tests/unit/test_prompt
tests_unit_test_prompt_SOURCES = tests/unit/test_prompt.c
tests_unit_test_prompt_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_prompt_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/unit/test_reply tests/unit/test_stream
tests_unit_test_reply_SOURCES = tests/unit/test_reply.c
tests_unit_test_reply_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_reply_LDADD = $(UNIT_LIBS)
tests_unit_test_stream_SOURCES = tests/unit/test_stream.c
tests_unit_test_stream_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_stream_LDADD = $(UNIT_LIBS)
