/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message.h - what a person reads, in the person's language.
 *
 * _("text") is the text in the language of LC_MESSAGES, from the catalogue that
 * po/LANGUAGE.po becomes; the text itself where there is none. It is for what
 * is printed or drawn, where that happens, and never for what a program reads:
 * JSON, the journal, requests to a model and exit statuses stay English. Errors
 * (struct err) and the guard's reasons are English, too, until they are printed
 * (base/message_put.h). po/messages.sh finds the marked texts. */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include <libintl.h>
#include <stdbool.h>

#define MESSAGE_DOMAIN "agentsh"

/* Chooses the language, once, in a main that prints for a person. It is
 * English where the locale's encoding is not UTF-8. The catalogues are below
 * AGENTSH_LOCALE_DIR of the environment, else LOCALEDIR of the build. */
void message_init(void);

/* Whether the environment names a language other than English: for a program
 * that is linked statically, where message_init has no effect. */
bool message_is_asked(void);

#define _(text) message_text(text)
/* The form of the text that belongs to n things. */
#define P_(one, many, n) message_count((one), (many), (unsigned long)(n))

/* Marks a text of a table; whoever shows it calls _(). */
#ifndef N_
#define N_(text) text
#endif

/* Neither fails. The text is borrowed and lasts as long as the program. A
 * translation that takes other arguments of printf(3) than the text is not
 * used. */
const char *message_text(const char *text) __attribute__((format_arg(1)));
/* The text for who reads it: a person gets it in the person's language, a
 * program in English. For what is made for both. */
const char *message_for(bool person, const char *text)
    __attribute__((format_arg(2)));
const char *message_count(const char *one, const char *many, unsigned long n)
    __attribute__((format_arg(1), format_arg(2)));

/* What another program, whose catalogue is called domain, says for its text in
 * the same language. */
const char *message_of_other(const char *domain, const char *text);
/* Whether the person's language is another than that of programs, so that what
 * both read has to be made twice. */
bool message_is_translated(void);

#endif
