# SPDX-License-Identifier: GPL-3.0-or-later
libagentsh_a_SOURCES += \
	src/server/bus/bus.c src/server/bus/bus.h \
	src/server/bus/bus_client.c src/server/bus/bus_client.h \
	src/server/bus/bus_delivery.c src/server/bus/bus_delivery.h \
	src/server/bus/bus_hub.c src/server/bus/bus_hub.h \
	src/server/bus/bus_keep.c src/server/bus/bus_keep.h \
	src/server/bus/bus_method.c src/server/bus/bus_method.h \
	src/server/bus/bus_numbers.c src/server/bus/bus_numbers.h \
	src/server/bus/bus_peer.c src/server/bus/bus_peer.h \
	src/server/bus/bus_publish.c src/server/bus/bus_publish.h \
	src/server/bus/bus_quick.c src/server/bus/bus_quick.h \
	src/server/bus/bus_replay.c src/server/bus/bus_replay.h \
	src/server/bus/bus_route.c src/server/bus/bus_route.h \
	src/server/bus/bus_subscription.c src/server/bus/bus_subscription.h \
	src/server/bus/bus_topic.c src/server/bus/bus_topic.h

UNIT_TESTS += tests/unit/test_bus_keep tests/unit/test_bus_topic
SCRIPT_TESTS += tests/bus/test_clients.py tests/bus/test_hostile.py \
	tests/bus/test_keep.py tests/bus/test_messages.py \
	tests/bus/test_nodes.py
FUZZERS += tests/fuzz/fuzz_bus
EXTRA_DIST += tests/bus/bus.py
