/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hook_text.h - the scripts of hooks/, compiled in by hooks/embed.sh. */
#ifndef UI_HOOK_TEXT_H
#define UI_HOOK_TEXT_H

struct hook_text {
    const char *file; /* such as "agentsh.bash"; NULL ends the table */
    const char *text;
};

const struct hook_text *hook_texts(void);

#endif
