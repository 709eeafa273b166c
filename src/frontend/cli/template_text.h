/* SPDX-License-Identifier: GPL-3.0-or-later */
/* template_text.h - the templates of plugins/templates/, compiled in. */
#ifndef FRONTEND_CLI_TEMPLATE_TEXT_H
#define FRONTEND_CLI_TEMPLATE_TEXT_H

/* A file of a template. In its name NAME, and in its text @NAME@, is what the
 * plugin is called; one that begins with "#!" is a program. */
struct template_text {
    const char *lang, *file, *text; /* lang NULL at the end */
};

const struct template_text *template_texts(void);

#endif
