# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/model/choose.h \
	src/model/client.h \
	src/model/context.h
