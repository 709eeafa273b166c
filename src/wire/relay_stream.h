/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_stream.h - a stream of a NATS server that all nodes of a bus read.
 *
 * What is put into it comes back to every node in one order, each record with
 * the turn that it has there. Where the server, or a record, is lost, it is
 * opened anew: from behind the last record that came where all that came since
 * is there still, else from its end at that time. Beside it nodes send each
 * other records that have no turn. */
#ifndef WIRE_RELAY_STREAM_H
#define WIRE_RELAY_STREAM_H

#include "base/loop.h"
#include "wire/relay_record.h"

struct relay_stream;

struct relay_stream_events {
    /* From here on records come, without a gap; goes_on: nor is one to those
     * that came before. */
    void (*ready)(void *arg, bool goes_on);
    /* None come any more, until `ready` is called again. */
    void (*lost)(void *arg, const char *why);
    void (*record)(void *arg, uint64_t turn, const char *bytes, size_t n);
    void (*direct)(void *arg, const char *bytes, size_t n);
    /* A kept stream was found, which was made at this time; false: it is not
     * the one to be read. NULL: any is. */
    bool (*found)(void *arg, const char *created);
};

/* bus: its name, of letters, digits, - and _; node: this one. ev is borrowed.
 */
struct relay_stream *relay_stream_new(struct loop *l, const char *url,
                                      const char *bus, const char *node,
                                      const struct relay_stream_events *ev,
                                      void *arg, struct err *e);
/* What was put into it is sent first. Accepts NULL. */
void relay_stream_free(struct relay_stream *s);

/* To be called at once after relay_stream_new: the stream is in the server's
 * files, for age_ms (0: as long as those are), which whoever opens it last says
 * for all; and it is read from the turn `from` on, which is 1 at least; where
 * it is opened anew, from behind the last record that came. Where the server
 * has no longer what is next, `lost` says so, and again and again. `ready`
 * comes when the records begin to come. */
void relay_stream_keep(struct relay_stream *s, uint64_t from, int64_t age_ms);

/* Tells the stream that is read from one that was made at another time; 0: the
 * server has not told when this one was. */
uint64_t relay_stream_id(const struct relay_stream *s);

int relay_stream_put(struct relay_stream *s, const struct buf *record,
                     struct err *e);
int relay_stream_send(struct relay_stream *s, const char *node,
                      const struct buf *record, struct err *e);

/* To all nodes: their `direct`. */
int relay_stream_send_all(struct relay_stream *s, const struct buf *record,
                          struct err *e);

/* When it is opened anew, records come again from this turn on. */
void relay_stream_rewind(struct relay_stream *s, uint64_t turn);

/* Opens it anew: what has come is of no use. `lost` is not called. */
void relay_stream_again(struct relay_stream *s);

#endif
