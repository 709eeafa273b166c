/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vt.c - tell text from terminal control, byte by byte. */
#include "door/repl/vt.h"

#include <string.h>

#define ESC 0x1b
#define CAN 0x18
#define SUB 0x1a
#define BEL 0x07
#define DEL 0x7f

static enum vt_event
in_csi(struct vt *vt, unsigned char c)
{
    int *last = vt->n <= VT_PARAMS ? &vt->params[vt->n - 1] : NULL;

    if (c >= '0' && c <= '9') {
        if (last)
            *last = *last * 10 + (c - '0');
        if (last && *last > VT_PARAM)
            *last = VT_PARAM;
    } else if (c == ';' || c == ':') {
        if (vt->n <= VT_PARAMS)
            vt->n++;
    } else if (c >= '<' && c <= '?') {
        vt->lead = c;
    } else if (c >= 0x40 && c < DEL) {
        vt->state = VT_GROUND;
        vt->final = c;
        return VT_CSI;
    }
    return VT_NOTHING; /* intermediate bytes change nothing that we follow */
}

static enum vt_event
in_esc(struct vt *vt, unsigned char c)
{
    if (c == '[') {
        memset(vt->params, 0, sizeof(vt->params));
        vt->n = 1;
        vt->lead = 0;
        vt->state = VT_IN_CSI;
    } else if (strchr("]PX^_", c) && c) {
        vt->state = VT_IN_STRING;
    } else if (c >= 0x30 && c < DEL) {
        vt->state = VT_GROUND;
        vt->final = c;
        return VT_ESC;
    }
    return VT_NOTHING; /* 0x20 to 0x2f: `ESC ( B` and the like, one more */
}

static enum vt_event
in_string(struct vt *vt, unsigned char c)
{
    if (c == BEL || (vt->state == VT_STRING_ESC && c == '\\'))
        vt->state = VT_GROUND;
    else
        vt->state = VT_IN_STRING;
    return VT_NOTHING;
}

enum vt_event
vt_step(struct vt *vt, unsigned char c)
{
    if (c == CAN || c == SUB) {
        vt->state = VT_GROUND;
        return VT_NOTHING;
    }
    if (c == ESC) {
        vt->state = vt->state == VT_IN_STRING ? VT_STRING_ESC : VT_IN_ESC;
        return VT_NOTHING;
    }
    switch (vt->state) {
    case VT_IN_STRING:
    case VT_STRING_ESC:
        return in_string(vt, c);
    case VT_IN_ESC:
        return c < 0x20 ? VT_CONTROL : in_esc(vt, c);
    case VT_IN_CSI:
        return c < 0x20 ? VT_CONTROL : in_csi(vt, c);
    case VT_GROUND:
        break;
    }
    if (c == DEL)
        return VT_NOTHING;
    return c < 0x20 ? VT_CONTROL : VT_TEXT;
}

int
vt_param(const struct vt *vt, int i, int least)
{
    int v = i < vt->n && i < VT_PARAMS ? vt->params[i] : 0;

    return v < least ? least : v;
}
