/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transcript.c - the last command's output as a person saw it, as plain text.
 */
#include "frontend/repl/transcript.h"

#include <string.h>

#include "base/ascii.h"
#include "base/cleanup.h"
#include "base/utf8.h"

/* Tell text from terminal control, byte by byte.
 *
 * The parser knows the shape of the sequences of ECMA-48 (escape, control
 * sequence, string), not their meaning. Any bytes may come, cut anywhere. */

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

#define DEL 0x7f

static enum vt_event
vt_in_csi(struct vt *vt, unsigned char c)
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
vt_in_string(struct vt *vt, unsigned char c)
{
    if (c == ASCII_BEL || (vt->state == VT_STRING_ESC && c == '\\'))
        vt->state = VT_GROUND;
    else
        vt->state = VT_IN_STRING;
    return VT_NOTHING;
}

static enum vt_event
vt_step(struct vt *vt, unsigned char c)
{
    if (c == ASCII_CAN || c == ASCII_SUB) {
        vt->state = VT_GROUND;
        return VT_NOTHING;
    }
    if (c == ASCII_ESC) {
        vt->state = vt->state == VT_IN_STRING ? VT_STRING_ESC : VT_IN_ESC;
        return VT_NOTHING;
    }
    switch (vt->state) {
    case VT_IN_STRING:
    case VT_STRING_ESC:
        return vt_in_string(vt, c);
    case VT_IN_ESC:
        return c < 0x20 ? VT_CONTROL : in_esc(vt, c);
    case VT_IN_CSI:
        return c < 0x20 ? VT_CONTROL : vt_in_csi(vt, c);
    case VT_GROUND:
        break;
    }
    if (c == DEL)
        return VT_NOTHING;
    return c < 0x20 ? VT_CONTROL : VT_TEXT;
}

/* The i-th parameter of a control sequence, at least `least`. */
static int
vt_param(const struct vt *vt, int i, int least)
{
    int v = i < vt->n && i < VT_PARAMS ? vt->params[i] : 0;

    return v < least ? least : v;
}

/* Lines of text with a cursor in them.
 *
 * The tail of all that was written: when it is full, the older half goes. The
 * cursor edits only near the end (a few thousand bytes), so that no output,
 * however made, costs more than a little per byte. */

struct scroll {
    struct buf text; /* made with a maximum of 2 * TRANSCRIPT_MAX */
    size_t row;      /* where the cursor's line begins */
    size_t at;       /* the cursor; row <= at <= end of the line */
};

/* The cursor moves only within the last bytes, and a line longer than this is
 * as if wrapped: so an edit in the middle never moves more than this. */
#define REACH 4096

/* Blanks that a jump to the right may leave: a wide terminal's line. */
#define COLUMNS 1024

/* Bytes that are looked at together: a whole number of the processor's widest
 * pieces. */
#define BLOCK 64

/* Room for n more bytes: forgets the oldest half when there is none. */
static bool
make_scroll_room(struct scroll *sc, size_t n)
{
    size_t old = sc->text.len - sc->text.len / 2;

    if (sc->text.len + n > sc->text.max) {
        buf_drop(&sc->text, old);
        sc->row = sc->row > old ? sc->row - old : 0;
        sc->at = sc->at > old ? sc->at - old : 0;
    }
    return buf_room(&sc->text, n) == 0;
}

static size_t
scroll_line_end(const struct scroll *sc)
{
    const char *nl = memchr(sc->text.p + sc->at, '\n', sc->text.len - sc->at);

    return nl ? (size_t)(nl - sc->text.p) : sc->text.len;
}

static bool
continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void
step_right(struct scroll *sc, size_t end)
{
    do
        sc->at++;
    while (sc->at < end && continues(sc->text.p[sc->at]));
}

static void
scroll_return(struct scroll *sc)
{
    sc->at = sc->row;
}

static void
scroll_left(struct scroll *sc)
{
    if (sc->at == sc->row)
        return;
    do
        sc->at--;
    while (sc->at > sc->row && continues(sc->text.p[sc->at]));
}

static void
delete_bytes(struct scroll *sc, size_t from, size_t n)
{
    memmove(sc->text.p + from, sc->text.p + from + n,
            sc->text.len - from - n + 1);
    sc->text.len -= n;
}

static void
insert(struct scroll *sc, const char *p, size_t n)
{
    if (!make_scroll_room(sc, n))
        return;
    memmove(sc->text.p + sc->at + n, sc->text.p + sc->at,
            sc->text.len - sc->at + 1);
    memcpy(sc->text.p + sc->at, p, n);
    sc->at += n;
    sc->text.len += n;
}

/* Puts one byte at the cursor, over the character there. The later bytes of a
 * character are only inserted: its first one made the place. */
static void
scroll_put(struct scroll *sc, char c)
{
    size_t end = scroll_line_end(sc), was = sc->at;

    if (sc->at - sc->row > REACH)
        sc->row = sc->at;
    if (!continues(c) && sc->at < end) {
        step_right(sc, end);
        delete_bytes(sc, was, sc->at - was);
        sc->at = was;
    }
    insert(sc, &c, 1);
}

static void
scroll_new_line(struct scroll *sc)
{
    sc->at = scroll_line_end(sc);
    if (sc->at == sc->text.len)
        insert(sc, "\n", 1);
    else
        sc->at++;
    sc->row = sc->at;
}

static void
scroll_up(struct scroll *sc, int lines)
{
    size_t least = sc->text.len > REACH ? sc->text.len - REACH : 0;

    for (; lines > 0 && sc->row > least; lines--) {
        const char *nl = memrchr(sc->text.p, '\n', sc->row - 1);

        sc->row = nl ? (size_t)(nl - sc->text.p) + 1 : 0;
    }
    while (sc->row < least ||
           (sc->row < sc->text.len && continues(sc->text.p[sc->row])))
        sc->row++;
    sc->at = sc->row;
}

static void
scroll_down(struct scroll *sc, int lines)
{
    for (; lines > 0 && scroll_line_end(sc) < sc->text.len; lines--)
        sc->row = sc->at = scroll_line_end(sc) + 1;
}

static void
insert_blanks(struct scroll *sc, int n)
{
    char blanks[COLUMNS];

    if (n > 0 && n <= COLUMNS) {
        memset(blanks, ' ', (size_t)n);
        insert(sc, blanks, (size_t)n);
    }
}

/* To a column from the line's start; blanks where there is no text yet. */
static void
scroll_to_column(struct scroll *sc, int column)
{
    size_t end;

    sc->at = sc->row;
    for (end = scroll_line_end(sc); column > 0 && sc->at < end; column--)
        step_right(sc, end);
    insert_blanks(sc, column);
}

static int
scroll_column(const struct scroll *sc)
{
    int n = 0;

    for (size_t i = sc->row; i < sc->at; i++)
        n += !continues(sc->text.p[i]);
    return n;
}

static void
scroll_delete_chars(struct scroll *sc, int n)
{
    size_t end = scroll_line_end(sc), from = sc->at;

    for (; n > 0 && sc->at < end; n--)
        step_right(sc, end);
    delete_bytes(sc, from, sc->at - from);
    sc->at = from;
}

/* 0: from the cursor, 1: before it, 2: all of the line. The cursor stays in its
 * column. */
static void
scroll_erase_line(struct scroll *sc, int how)
{
    int column = scroll_column(sc);
    size_t from = how == 0 ? sc->at : sc->row;
    size_t to = how == 1 ? sc->at : scroll_line_end(sc);

    delete_bytes(sc, from, to - from);
    sc->at = from;
    if (how == 1)
        insert_blanks(sc, column);
    else if (how != 0)
        scroll_to_column(sc, column);
}

static void
scroll_erase_all(struct scroll *sc)
{
    buf_clear(&sc->text);
    sc->row = sc->at = 0;
}

static void
scroll_erase_below(struct scroll *sc)
{
    buf_cut(&sc->text, sc->at);
}

/* Whether the byte before `next` is neither text nor a newline, a tab, or a
 * carriage return before a newline. Without a branch, so that a compiler makes
 * one instruction of many bytes. */
static unsigned char
is_odd(unsigned char c, unsigned char next)
{
    return (unsigned char)((c < 0x20) & (c != '\n') & (c != '\t') &
                           ((c != '\r') | (next != '\n'))) |
           (c == DEL);
}

/* How many of the first bytes are not odd; the last one's next is unknown. */
static size_t
plain_length(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t i = 0;

    for (; i + BLOCK < n; i += BLOCK) {
        unsigned char odd = 0;

        for (size_t j = 0; j < BLOCK; j++)
            odd |= is_odd(p[i + j], p[i + j + 1]);
        if (odd)
            break;
    }
    while (i < n && !is_odd(p[i], i + 1 < n ? p[i + 1] : 0))
        i++;
    return i;
}

/* Copies plain bytes without the carriage returns; returns the end. */
static char *
copy_lines(char *to, const char *p, size_t n)
{
    const char *end = p + n, *cr;

    while ((cr = memchr(p, '\r', (size_t)(end - p)))) {
        to = mempcpy(to, p, (size_t)(cr - p));
        p = cr + 1;
    }
    return mempcpy(to, p, (size_t)(end - p));
}

/* Appends lines that hold no control characters but newlines and tabs, nor
 * carriage returns save before a newline (those are dropped): nearly all
 * there is, at about a quarter of a nanosecond a byte. Returns how many bytes
 * it took: it stops at others, and takes none when the cursor is not at the
 * end. */
static size_t
scroll_append(struct scroll *sc, const char *p, size_t n)
{
    char *from, *to, *nl;

    if (sc->at != sc->text.len)
        return 0;
    n = plain_length(p, n < TRANSCRIPT_MAX / 2 ? n : TRANSCRIPT_MAX / 2);
    if (n == 0 || !make_scroll_room(sc, n))
        return n;
    from = sc->text.p + sc->text.len;
    to = copy_lines(from, p, n);
    *to = '\0';
    nl = memrchr(from, '\n', (size_t)(to - from));
    sc->at = sc->text.len = (size_t)(to - sc->text.p);
    sc->row = nl ? (size_t)(nl + 1 - sc->text.p) : sc->row;
    if (sc->at - sc->row > REACH)
        sc->row = sc->at;
    return n;
}

struct transcript {
    struct scroll text;
    bool away;  /* on the alternate screen */
    bool homed; /* the cursor was sent to the top, nothing printed since */
    struct vt vt;
};

struct transcript *
transcript_new(struct err *e)
{
    struct transcript *t = calloc(1, sizeof(*t));

    if (!t) {
        err_sys(e, "transcript");
        return NULL;
    }
    buf_init(&t->text.text, 2 * TRANSCRIPT_MAX);
    return t;
}

void
transcript_free(struct transcript *t)
{
    if (t)
        buf_done(&t->text.text);
    free(t);
}

void
transcript_clear(struct transcript *t)
{
    scroll_erase_all(&t->text);
    t->away = t->homed = false;
    t->vt = (struct vt){0};
}

/* Erasing all that is below the top of the screen is how programs clear it. */
static void
erase_display(struct transcript *t, int how)
{
    if (how >= 2 || (how == 0 && t->homed))
        scroll_erase_all(&t->text);
    else if (how == 0)
        scroll_erase_below(&t->text);
}

/* Absolute positions mean nothing here: what follows begins a line. */
static void
move_to(struct transcript *t, int row, int column)
{
    struct scroll *sc = &t->text;

    sc->row = sc->at = sc->text.len;
    if (sc->at > 0 && sc->text.p[sc->at - 1] != '\n')
        scroll_new_line(sc);
    t->homed = row == 1 && column == 1;
}

static void
private_mode(struct transcript *t)
{
    int mode = vt_param(&t->vt, 0, 0);

    if (mode == 1049 || mode == 1047 || mode == 47)
        t->away = t->vt.final == 'h';
}

static void
sequence(struct transcript *t)
{
    struct scroll *sc = &t->text;
    int n = vt_param(&t->vt, 0, 1);
    int how = vt_param(&t->vt, 0, 0);

    switch (t->vt.final) {
    case 'A':
    case 'F':
        scroll_up(sc, n);
        break;
    case 'B':
    case 'E':
        scroll_down(sc, n);
        break;
    case 'C':
        scroll_to_column(sc, scroll_column(sc) + n);
        break;
    case 'D':
        scroll_to_column(sc, scroll_column(sc) - n);
        break;
    case 'G':
        scroll_to_column(sc, n - 1);
        break;
    case 'H':
    case 'f':
        move_to(t, n, vt_param(&t->vt, 1, 1));
        break;
    case 'J':
        erase_display(t, how);
        break;
    case 'K':
        scroll_erase_line(sc, how);
        break;
    case 'P':
        scroll_delete_chars(sc, n);
        break;
    default:
        break;
    }
}

static void
control(struct scroll *sc, unsigned char c)
{
    if (c == '\n')
        scroll_new_line(sc);
    else if (c == '\r')
        scroll_return(sc);
    else if (c == '\b')
        scroll_left(sc);
    else if (c == '\t')
        scroll_put(sc, '\t');
}

static void
follow(struct transcript *t, unsigned char c)
{
    enum vt_event ev = vt_step(&t->vt, c);

    if (ev == VT_CSI && t->vt.lead == '?')
        private_mode(t);
    if (t->away || ev == VT_NOTHING)
        return;
    if (ev == VT_TEXT)
        scroll_put(&t->text, (char)c);
    else if (ev == VT_CONTROL)
        control(&t->text, c);
    else if (ev == VT_CSI && t->vt.lead == 0)
        sequence(t);
    else if (ev == VT_ESC && t->vt.final == 'M')
        scroll_up(&t->text, 1);
    else if (ev == VT_ESC && t->vt.final == 'c')
        scroll_erase_all(&t->text);
    if (ev == VT_TEXT || ev == VT_CONTROL)
        t->homed = false;
}

void
transcript_feed(struct transcript *t, const char *p, size_t n)
{
    size_t i = 0, plain;

    while (i < n) {
        plain = 0;
        if (!t->away && t->vt.state == VT_GROUND)
            plain = scroll_append(&t->text, p + i, n - i);
        t->homed = t->homed && plain == 0;
        i += plain;
        if (i < n)
            follow(t, (unsigned char)p[i++]);
    }
}

void
transcript_tail(const struct transcript *t, size_t max, struct buf *out)
{
    /* a bad byte becomes three */
    CLEANUP_BUF struct buf text = buf_of(3 * t->text.text.len);
    size_t end, from = 0;
    const char *nl;

    utf8_repair(&text, t->text.text.p, t->text.text.len);
    end = text.len;
    while (end > 0 && strchr("\n \t", text.p[end - 1]))
        end--;
    if (end > max) { /* whole lines, when there are any */
        from = end - max;
        while (from < end && ((unsigned char)text.p[from] & 0xc0) == 0x80)
            from++;
        nl = memchr(text.p + from, '\n', end - from);
        from = nl ? (size_t)(nl - text.p) + 1 : from;
    }
    buf_add(out, text.p + from, end - from);
}
