/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message.c - what a person reads, in the person's language. */
#include "base/message.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message_format.h"
#include "base/utf8.h"

void
message_init(void)
{
    const char *dir = secure_getenv("AGENTSH_LOCALE_DIR");

    if (!utf8_is_locale() || !setlocale(LC_MESSAGES, ""))
        return;
    (void)bindtextdomain(MESSAGE_DOMAIN, dir && *dir == '/' ? dir : LOCALEDIR);
    (void)bind_textdomain_codeset(MESSAGE_DOMAIN, "UTF-8");
}

bool
message_is_asked(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *v = "";

    for (size_t i = 0; i < ARRAY_SIZE(names) && !*v; i++) {
        v = secure_getenv(names[i]);
        v = v ? v : "";
    }
    return utf8_is_locale() && strncmp(v, "en", 2) != 0 &&
           strncmp(v, "C.", 2) != 0;
}

/* A catalogue that is not ours, or is damaged, may say anything, but must not
 * make printf(3) read what is not there. */
static const char *
take_fitting(const char *text, const char *translation)
{
    return translation == text || message_fits(text, translation) ? translation
                                                                  : text;
}

/* The empty text is the catalogue's header. */
const char *
message_text(const char *text)
{
    return *text ? take_fitting(text, dgettext(MESSAGE_DOMAIN, text)) : text;
}

const char *
message_for(bool person, const char *text)
{
    return person ? message_text(text) : text;
}

/* Only a catalogue has a header. */
bool
message_is_translated(void)
{
    return *dgettext(MESSAGE_DOMAIN, "") != '\0';
}

const char *
message_count(const char *one, const char *many, unsigned long n)
{
    const char *translation = dngettext(MESSAGE_DOMAIN, one, many, n);

    return translation == one || message_fits(many, translation) ? translation
           : n == 1                                              ? one
                                                                 : many;
}

const char *
message_of_other(const char *domain, const char *text)
{
    (void)bind_textdomain_codeset(domain, "UTF-8");
    return dgettext(domain, text);
}
