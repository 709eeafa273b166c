/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synopsis.c - reads the operands of a command from its page's synopsis. */
#include "offline/manual/synopsis.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"

/* Words that stand for options in a synopsis. */
static const char *const option_words[] = {
    "option", "options", "opts", "flags", "arguments", "args",
};

static const struct {
    const char *name, *meaning;
} common[] = {
    {"file", "a file"},
    {"files", "a file"},
    {"filename", "a file"},
    {"path", "a path"},
    {"pathspec", "a path"},
    {"dir", "a directory"},
    {"directory", "a directory"},
    {"source", "the source"},
    {"src", "the source"},
    {"dest", "the target"},
    {"dst", "the target"},
    {"target", "the target"},
    {"pattern", "the pattern"},
    {"patterns", "the pattern"},
    {"regex", "the regular expression"},
    {"expression", "the expression"},
    {"host", "the machine"},
    {"hostname", "the machine"},
    {"destination", "the target"},
    {"address", "the address"},
    {"url", "the address"},
    {"user", "the user"},
    {"username", "the user"},
    {"login", "the user"},
    {"group", "the group"},
    {"command", "the command"},
    {"name", "the name"},
    {"device", "the device"},
    {"string", "a text"},
    {"text", "a text"},
    {"number", "the number"},
    {"count", "the number"},
    {"pid", "the process"},
    {"image", "the image"},
    {"container", "the container"},
    {"package", "the package"},
    {"pkg", "the package"},
    {"branch", "the branch"},
    {"commit", "the commit"},
    {"repository", "the repository"},
    {"remote", "the remote repository"},
    {"port", "the port"},
    {"signal", "the signal"},
    {"mode", "the mode"},
    {"format", "the form"},
    {"program", "the program"},
    {"script", "the script"},
    {"unit", "the unit"},
    {"size", "the size"},
    {"date", "the date"},
    {"infile", "what is read"},
    {"input", "what is read"},
    {"outfile", "what is written"},
    {"output", "what is written"},
    {"archive", "the archive"},
    {"variable", "the variable"},
};

const char *
synopsis_meaning(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(common); i++)
        if (strcasecmp(common[i].name, name) == 0)
            return common[i].meaning;
    return NULL;
}

static bool
names_options(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(option_words); i++)
        if (strcasecmp(option_words[i], name) == 0)
            return true;
    return false;
}

/* The position behind the bracket that closes the one at s. */
static const char *
skip_group(const char *s)
{
    int depth = 0;

    for (; *s; s++) {
        if (strchr("[{(", *s))
            depth++;
        else if (strchr("]})", *s) && --depth == 0)
            return s + 1;
    }
    return s;
}

/* Reads one name into the slot, and advances *p behind it. */
static bool
take_operand_name(const char **p, struct synopsis_slot *slot)
{
    const char *s = *p, *from = s;
    size_t n;

    while (isalnum((unsigned char)*s) ||
           (*s && strchr("_-:/@.", *s) && strncmp(s, "...", 3) != 0))
        s++;
    n = (size_t)(s - from);
    *p = s + (s == from);
    if (n == 0 || n >= sizeof(slot->name))
        return false;
    *slot = (struct synopsis_slot){0};
    memcpy(slot->name, from, n);
    s += strspn(s, "]>) ");
    slot->repeats = strncmp(s, "...", 3) == 0 ||
                    strncmp(s, "\342\200\246", 3) == 0;
    return !names_options(slot->name);
}

/* Reads the operands of one line of a synopsis, behind the name of the
 * program. */
static size_t
read_synopsis_line(const char *s, struct synopsis_slot *slots)
{
    bool alternative = false, behind = false;
    size_t n = 0;

    while (*s && n < SYNOPSIS_SLOTS_MAX) {
        struct synopsis_slot slot;

        if (strncmp(s, "[--]", 4) == 0 || strncmp(s, "-- ", 3) == 0) {
            behind = true;
            s += *s == '[' ? 4 : 2;
        } else if (*s == '[' && s[1 + strspn(s + 1, " [<")] == '-') {
            s = skip_group(s); /* [-f FILE] */
        } else if (*s == '{') {
            s = skip_group(s);
        } else if (*s == '-') {
            s += strcspn(s, " ]"); /* a required option */
        } else if (*s == '|') {
            alternative = true;
            s++;
        } else if (!isalnum((unsigned char)*s)) {
            s++;
        } else if (take_operand_name(&s, &slot) && !alternative) {
            slot.behind = behind;
            behind = false;
            slots[n++] = slot;
        } else {
            alternative = false;
        }
    }
    return n;
}

/* Whether these slots can take n operands. */
static bool
slots_fit(const struct synopsis_slot *slots, size_t n_slots, size_t n)
{
    for (size_t i = 0; i < n_slots; i++)
        if (slots[i].repeats)
            return n + 1 >= n_slots;
    return n <= n_slots && n_slots > 0;
}

/* The text behind the name of the program; "git commit" is the name
 * git-commit. */
static const char *
behind_name(const char *line, const char *name)
{
    size_t n = strlen(name), i = 0;

    while (i < n && (line[i] == name[i] ||
                     (line[i] == ' ' && (name[i] == '-' || name[i] == '_'))))
        i++;
    return i == n ? line + n : line + strcspn(line, " ");
}

size_t
synopsis_read(const struct page *p, size_t n,
              struct synopsis_slot slots[SYNOPSIS_SLOTS_MAX])
{
    size_t found = 0;

    for (size_t i = 0; i < p->n; i++) {
        struct synopsis_slot here[SYNOPSIS_SLOTS_MAX];
        const char *line = p->rows[i].field[0];
        size_t k;

        if (p->rows[i].kind != 'S')
            continue;
        k = read_synopsis_line(behind_name(line, p->name), here);
        if (k > 0 && (found == 0 || slots_fit(here, k, n))) {
            memcpy(slots, here, sizeof(here));
            found = k;
        }
        if (slots_fit(slots, found, n))
            break;
    }
    return found;
}
