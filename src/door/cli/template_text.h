/* SPDX-License-Identifier: GPL-3.0-or-later */
/* template_text.h - plugins to begin with, compiled in: plugins/templates/. */
#ifndef DOOR_CLI_TEMPLATE_TEXT_H
#define DOOR_CLI_TEMPLATE_TEXT_H

/* A file of a template. In its name NAME, and in its text @NAME@, is what the
 * plugin is called; one that begins with "#!" is a program. */
struct template_text {
    const char *lang, *file, *text; /* lang NULL at the end */
};

const struct template_text *template_texts(void);

#endif
