/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shorten.c - makes a seccomp program shorter that does the same. */
#include "sandbox/shorten.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LOAD     (BPF_LD | BPF_W | BPF_ABS)
#define MASK     (BPF_ALU | BPF_AND | BPF_K)
#define GOTO     (BPF_JMP | BPF_JA)
#define IF_EQUAL (BPF_JMP | BPF_JEQ | BPF_K)
#define IF_ABOVE (BPF_JMP | BPF_JGT | BPF_K)
#define IF_FROM  (BPF_JMP | BPF_JGE | BPF_K)
#define IF_ANY   (BPF_JMP | BPF_JSET | BPF_K)
#define ANSWER   (BPF_RET | BPF_K)

/* An instruction, and where it goes: the next one, unless it compares. */
struct step {
    uint16_t code;
    uint32_t k;
    size_t yes, no;
    size_t from; /* how many go here */
    bool gone;   /* who would come here goes to `yes` */
};

struct program {
    struct step at[SHORTEN_MAX + 1];
    size_t n;
};

static bool
compares(uint16_t code)
{
    return code == IF_EQUAL || code == IF_ABOVE || code == IF_FROM ||
           code == IF_ANY;
}

/* Where a step leads, past those that are gone. */
static size_t
past_gone(const struct program *p, size_t i)
{
    while (i < p->n && p->at[i].gone)
        i = p->at[i].yes;
    return i;
}

static void
count(struct program *p)
{
    for (size_t i = 0; i <= p->n; i++)
        p->at[i].from = 0;
    p->at[past_gone(p, 0)].from = 1;
    for (size_t i = 0; i < p->n; i++) {
        struct step *s = &p->at[i];

        if (s->gone || s->code == ANSWER)
            continue;
        s->yes = past_gone(p, s->yes);
        p->at[s->yes].from++;
        if (!compares(s->code))
            continue;
        s->no = past_gone(p, s->no);
        p->at[s->no].from++;
    }
}

static bool
read_code(const struct sock_filter *code, size_t n, struct program *p)
{
    *p = (struct program){.n = n};
    for (size_t i = 0; i < n; i++) {
        const struct sock_filter *c = &code[i];
        bool known = compares(c->code) || c->code == LOAD || c->code == MASK ||
                     c->code == GOTO || c->code == ANSWER;

        p->at[i] = (struct step){
            .code = c->code, .k = c->k, .yes = i + 1, .no = i + 1 + c->jf};
        if (compares(c->code))
            p->at[i].yes = i + 1 + c->jt;
        if (c->code == GOTO) {
            p->at[i].yes = i + 1 + c->k;
            p->at[i].gone = true;
        }
        if (!known || p->at[i].yes > n || p->at[i].no > n)
            return false;
    }
    count(p);
    return true;
}

/* Without what is gone. False: a way is too long for a jump, or none. */
static bool
write_code(const struct program *p, struct sock_filter *code, size_t *n_out)
{
    struct sock_filter out[SHORTEN_MAX] = {{0}};
    size_t place[SHORTEN_MAX + 1], n = 0;

    for (size_t i = 0; i <= p->n; i++) {
        place[i] = n;
        n += i < p->n && !p->at[i].gone;
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct step *s = &p->at[i];
        size_t yes = place[past_gone(p, s->yes)] - place[i] - 1;
        size_t no = place[past_gone(p, s->no)] - place[i] - 1;

        if (s->gone)
            continue;
        if (compares(s->code) ? yes > UINT8_MAX || no > UINT8_MAX
                              : s->code != ANSWER && yes != 0)
            return false;
        out[place[i]] = (struct sock_filter){s->code, 0, 0, s->k};
        if (compares(s->code)) {
            out[place[i]].jt = (uint8_t)yes;
            out[place[i]].jf = (uint8_t)no;
        }
    }
    memcpy(code, out, n * sizeof(*out));
    *n_out = n;
    return true;
}

/* What was loaded before is nothing to it. */
static bool
starts_anew(const struct program *p, size_t i)
{
    return i < p->n && (p->at[i].code == LOAD || p->at[i].code == ANSWER);
}

/* Whether from i on there is: load, mask, compare with the masked bits. */
static bool
is_masked(const struct program *p, size_t i)
{
    const struct step *s = &p->at[i];

    return i + 2 < p->n && !s[0].gone && s[0].code == LOAD && !s[1].gone &&
           s[1].code == MASK && s[1].from == 1 && !s[2].gone &&
           s[2].code == IF_EQUAL && s[2].from == 1 && s[1].k == s[2].k;
}

/* A mask of no bits is as it should be always. */
static void
drop_empty_mask(struct program *p, size_t i)
{
    struct step *s = &p->at[i];
    bool falls = i > 0 && !s[-1].gone && !compares(s[-1].code) &&
                 s[-1].code != ANSWER;

    if (!is_masked(p, i) || s[1].k != 0 || falls || !starts_anew(p, s[2].yes))
        return;
    s[0].yes = s[2].yes;
    s[0].gone = s[1].gone = s[2].gone = true;
    s[1].yes = s[2].yes;
    count(p);
}

/* One bit is set, or it is not. */
static void
ask_for_bit(struct program *p, size_t i)
{
    struct step *s = &p->at[i];
    uint32_t bit = s[1].k;

    if (!is_masked(p, i) || bit == 0 || (bit & (bit - 1)) != 0 ||
        !starts_anew(p, s[2].yes) || !starts_anew(p, s[2].no))
        return;
    s[1].gone = true;
    s[1].yes = i + 2;
    s[2].code = IF_ANY;
    count(p);
}

/* The next question about bits of the same word, with the same answer. */
static void
ask_for_bits(struct program *p, size_t i)
{
    struct step *load = &p->at[i], *ask, *again, *second;
    size_t next;

    if (load->gone || load->code != LOAD)
        return;
    ask = &p->at[load->yes];
    next = ask->no;
    if (ask->gone || ask->code != IF_ANY || ask->from != 1 || next >= p->n)
        return;
    again = &p->at[next];
    second = &p->at[again->yes];
    if (again->code != LOAD || again->k != load->k || again->from != 1 ||
        second->code != IF_ANY || second->from != 1 || second->yes != ask->yes)
        return;
    ask->k |= second->k;
    ask->no = second->no;
    again->gone = second->gone = true;
    count(p);
    ask_for_bits(p, i);
}

static int
by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* How many from i on compare one word with a value each, and give one answer
 * where it is. Their values go to `values`, in order. */
static size_t
list_values(const struct program *p, size_t i, uint32_t *values)
{
    size_t n = 0, j = i;

    while (j < p->n && !p->at[j].gone && p->at[j].code == IF_EQUAL &&
           p->at[j].yes == p->at[i].yes && (n == 0 || p->at[j].from == 1)) {
        values[n++] = p->at[j].k;
        if (p->at[j].no != j + 1)
            break;
        j++;
    }
    qsort(values, n, sizeof(*values), by_value);
    return n;
}

/* How many values in a row follow each other. */
static size_t
in_a_row(const uint32_t *values, size_t n)
{
    size_t row = 1;

    while (row < n && values[row] == values[0] + row)
        row++;
    return row;
}

/* Values that follow each other are a range: two questions. */
static void
ask_for_ranges(struct program *p, size_t i)
{
    uint32_t values[SHORTEN_MAX];
    size_t n = list_values(p, i, values), to = i, row;
    size_t yes = p->at[i].yes, no, needed = 0;

    for (size_t v = 0; v < n; v += row)
        needed += (row = in_a_row(values + v, n - v)) > 1 ? 2 : 1;
    if (needed >= n)
        return;
    no = p->at[i + n - 1].no;
    for (size_t v = 0; v < n; v += row) {
        row = in_a_row(values + v, n - v);
        if (row == 1) {
            p->at[to] = (struct step){IF_EQUAL, values[v], yes,
                                      to + 1,   0,         false};
            to++;
            continue;
        }
        p->at[to] = (struct step){IF_FROM, values[v], to + 1, to + 2, 0, false};
        p->at[to + 1] = (struct step){
            IF_ABOVE, values[v] + (uint32_t)row - 1, to + 2, yes, 0, false};
        to += 2;
    }
    for (; to < i + n; to++)
        p->at[to] = (struct step){.gone = true, .yes = no};
    count(p);
}

static void
drop_unreached(struct program *p, size_t i)
{
    if (p->at[i].gone || p->at[i].from > 0)
        return;
    p->at[i].gone = true;
    p->at[i].yes = i + 1;
    count(p);
}

size_t
shorten(struct sock_filter *code, size_t n)
{
    struct sock_filter before[SHORTEN_MAX];
    struct program p;
    size_t left;

    if (n > SHORTEN_MAX || !read_code(code, n, &p))
        return n;
    memcpy(before, code, n * sizeof(*code));
    for (size_t i = 0; i < n; i++)
        drop_empty_mask(&p, i);
    for (size_t i = 0; i < n; i++)
        ask_for_bit(&p, i);
    for (size_t i = 0; i < n; i++)
        ask_for_bits(&p, i);
    for (size_t i = 0; i < n; i++)
        ask_for_ranges(&p, i);
    for (size_t i = 0; i < n; i++)
        drop_unreached(&p, i);
    if (!write_code(&p, code, &left))
        return n;
    return shorten_same(before, n, code, left) ? left : 0;
}
