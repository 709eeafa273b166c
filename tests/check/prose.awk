# SPDX-License-Identifier: GPL-3.0-or-later
# prose.awk - says which lines of C read what was written for a person.
#
# The text of a struct err and of a struct risk_reason, and the reason of a
# finding or a verdict, are sentences: they may be copied, shown and looked at
# for being empty, and no function may search or compare them. A variable that
# holds one is followed to the end of its function. Run it behind code.awk.

BEGIN {
    n = split("strstr strcasestr strchr strrchr strpbrk strspn strcspn " \
        "strcmp strncmp strcasecmp strncasecmp memmem memcmp sscanf " \
        "strtol strtoul strtoull regexec fnmatch", words, " ")
    for (i = 1; i <= n; i++)
        reads[words[i]] = 1
    # members that are a struct err, or sentences themselves
    prose = "([.]|->)(e|err|why|broken|fault)([.]|->)text" \
        "|reasons\\[[^]]*\\][.]text|([.]|->)(reason|says)([^A-Za-z0-9_(]|$)"
}

function quoted(name) {
    return "(^|[^A-Za-z0-9_.>])" name
}

# The variables that are a struct err or a reason, and those with a text.
function note_names(code, name) {
    while (match(code, /struct (err|risk_reason) [*]?[a-z_][a-z0-9_]*/)) {
        name = substr(code, RSTART, RLENGTH)
        sub(/.* [*]?/, "", name)
        errs[name] = 1
        code = substr(code, RSTART + RLENGTH)
    }
}

function is_prose(code, name) {
    if (code ~ prose)
        return 1
    for (name in errs)
        if (code ~ (quoted(name) "([.]|->)text([^A-Za-z0-9_]|$)"))
            return 1
    for (name in texts)
        if (code ~ (quoted(name) "([^A-Za-z0-9_(]|$)"))
            return 1
    return 0
}

# const char *text = e->text;
function note_text(code, name, value) {
    if (!match(code, /[a-z_][a-z0-9_]* = /))
        return
    name = substr(code, RSTART, RLENGTH - 3)
    value = substr(code, RSTART + RLENGTH)
    if (value ~ /^[a-z_0-9>.\[\]-]*;/ && is_prose(value))
        texts[name] = 1
}

# The arguments that begin at code, up to the parenthesis that ends them.
function arguments(code, depth, i, c) {
    depth = 1
    for (i = 1; i <= length(code) && depth; i++) {
        c = substr(code, i, 1)
        depth += (c == "(") - (c == ")")
    }
    return substr(code, 1, i - 1)
}

function check_statement(code, name) {
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*\(/)) {
        name = substr(code, RSTART, RLENGTH - 1)
        code = substr(code, RSTART + RLENGTH)
        if ((name in reads) && is_prose(arguments(code)))
            printf "%s:%d: %s() reads a text for a person\n", path, from, name
    }
}

FNR == 1 {
    path = FILENAME
    in_comment = 0
    statement = ""
    split("", errs)
    split("", texts)
}

{
    code = code_of($0)
    if (code ~ /^\}/)
        split("", texts)
    note_names(code)
    if (statement == "")
        from = FNR
    statement = statement code
    if (code ~ /[;{}][ ]*$/) {
        check_statement(statement)
        note_text(statement)
        statement = ""
    }
}
