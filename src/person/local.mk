# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += src/person/answer.c src/person/answer.h
libagentsh_a_SOURCES += src/person/app.c src/person/app.h
libagentsh_a_SOURCES += src/person/asking.c src/person/asking.h
libagentsh_a_SOURCES += src/person/blocked.c src/person/blocked.h
libagentsh_a_SOURCES += src/person/edit.c src/person/edit.h
libagentsh_a_SOURCES += src/person/hook.c src/person/hook.h
libagentsh_a_SOURCES += src/person/hook_text.h
libagentsh_a_SOURCES += src/person/input.c src/person/input.h
libagentsh_a_SOURCES += src/person/manual.c src/person/manual.h
libagentsh_a_SOURCES += src/person/outlet.c src/person/outlet.h
libagentsh_a_SOURCES += src/person/options.c src/person/options.h
libagentsh_a_SOURCES += src/person/perform.c src/person/perform.h
libagentsh_a_SOURCES += src/person/preview.c src/person/preview.h
libagentsh_a_SOURCES += src/person/preview_diff.c
libagentsh_a_SOURCES += src/person/preview_in.h
libagentsh_a_SOURCES += src/person/preview_left.c
libagentsh_a_SOURCES += src/person/preview_list.c src/person/preview_list.h
libagentsh_a_SOURCES += src/person/question.c src/person/question.h
libagentsh_a_SOURCES += src/person/relay.c src/person/relay.h
libagentsh_a_SOURCES += src/person/relay_keys.c src/person/relay_keys.h
libagentsh_a_SOURCES += src/person/report.c src/person/report.h
libagentsh_a_SOURCES += src/person/result.c src/person/result.h
libagentsh_a_SOURCES += src/person/show_plan.c src/person/show_plan.h
libagentsh_a_SOURCES += src/person/stage.c src/person/stage.h
libagentsh_a_SOURCES += src/person/verbs.c src/person/verbs.h
libagentsh_a_SOURCES += src/person/wish.c src/person/wish.h
libagentsh_a_SOURCES += src/person/preview.c src/person/preview.h
libagentsh_a_SOURCES += src/person/preview_list.c src/person/preview_list.h
libagentsh_a_SOURCES += \
	src/person/answer.c src/person/answer.h \
	src/person/app.c src/person/app.h \
	src/person/asking.c src/person/asking.h \
	src/person/edit.c src/person/edit.h \
	src/person/hook.c src/person/hook.h \
	src/person/hook_text.h \
	src/person/input.c src/person/input.h \
	src/person/manual.c src/person/manual.h \
	src/person/outlet.c src/person/outlet.h \
	src/person/options.c src/person/options.h \
	src/person/perform.c src/person/perform.h \
	src/person/question.c src/person/question.h \
	src/person/remember.c src/person/remember.h \
	src/person/report.c src/person/report.h \
	src/person/result.c src/person/result.h \
	src/person/show_plan.c src/person/show_plan.h \
	src/person/stage.c src/person/stage.h \
	src/person/verbs.c src/person/verbs.h \
	src/person/wish.c src/person/wish.h

UNIT_TESTS += tests/unit/test_hook
tests_unit_test_hook_SOURCES = tests/unit/test_hook.c
tests_unit_test_hook_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_hook_LDADD = $(UNIT_LIBS)
