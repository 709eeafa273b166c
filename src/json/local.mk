# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/json/json.h \
	src/json/schema.h \
	src/json/write.h
