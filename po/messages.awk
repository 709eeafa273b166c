# SPDX-License-Identifier: GPL-3.0-or-later
# messages.awk - keeps the entries of a template that are for a person: those
# with two words. Names, options and keys of JSON are not translated. Its own
# header has no date.

BEGIN {
    RS = ""
    ORS = "\n\n"
    print "# Messages of agentsh. Made by make messages: do not edit.\n" \
        "msgid \"\"\nmsgstr \"\"\n" \
        "\"Project-Id-Version: agentsh\\n\"\n" \
        "\"MIME-Version: 1.0\\n\"\n" \
        "\"Content-Type: text/plain; charset=UTF-8\\n\"\n" \
        "\"Content-Transfer-Encoding: 8bit\\n\""
}

/"Project-Id-Version:/ { next }

{
    id = $0
    sub(/^(#[^\n]*\n)*msgid /, "", id)
    sub(/\nmsgstr .*/, "", id)
    gsub(/"\n"/, "", id)
    if (id ~ /[a-z][a-z][,.:;]? +[a-z%(]/)
        print
}
