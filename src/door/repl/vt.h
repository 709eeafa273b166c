/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vt.h - tell text from terminal control, byte by byte.
 *
 * Knows the shape of the sequences of ECMA-48 (escape, control sequence,
 * string), not their meaning. Any bytes may come, cut anywhere. */
#ifndef REPL_VT_H
#define REPL_VT_H

#define VT_PARAMS 8    /* later ones are ignored */
#define VT_PARAM  9999 /* a larger number counts as this */

enum vt_event {
    VT_NOTHING, /* inside a sequence */
    VT_TEXT,    /* the byte is text, or a part of a UTF-8 character */
    VT_CONTROL, /* the byte is a control character: LF, CR, BS, TAB, … */
    VT_ESC,     /* ESC and vt->final */
    VT_CSI,     /* CSI: vt->params, vt->lead, vt->final */
};

/* Zero is the start of a stream. */
struct vt {
    enum { VT_GROUND, VT_IN_ESC, VT_IN_CSI, VT_IN_STRING, VT_STRING_ESC } state;
    unsigned char final;
    unsigned char lead; /* a private mark, '?' among them; 0: none */
    int n;              /* parameters */
    int params[VT_PARAMS];
};

enum vt_event vt_step(struct vt *vt, unsigned char c);

/* The i-th parameter of a control sequence, at least `least`. */
int vt_param(const struct vt *vt, int i, int least);

#endif
