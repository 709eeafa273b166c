# SPDX-License-Identifier: GPL-3.0-or-later
# make.awk - turns the stanzas into C tables (README describes them). Reports
# every mistake with its file and line, and fails when there is one.
# With -v examples=1 it prints the examples, for the test that runs them.

BEGIN {
    n_words = n_texts = n_rules = n_clauses = n_programs = n_examples = 0
    text_length = 0
    split("destructive privileged network secret opaque looks holders acts " \
        "owners terminal sudo unknown", names, " ")
    for (i in names)
        is_fact[names[i]] = "RISK_" toupper(names[i])
    split("args no-args args-2 args-3 no-args-2 numbers exists piped not-piped remote " \
        "system", names, " ")
    for (i in names) {
        flag = toupper(names[i])
        gsub(/-/, "_", flag)
        is_when[names[i]] = "PROGRAM_WHEN_" flag
    }
    split("reads lists makes changes deletes hosts shell code runs wraps input loads",
        names, " ")
    for (i in names)
        is_verb[names[i]] = "PROGRAM_" toupper(names[i])
    split("shell awk sed perl python ruby node php lua tcl r sql mongo redis cron",
        names, " ")
    for (i in names)
        is_language[names[i]] = 1
    is_flag["whole"] = "PROGRAM_IS_WHOLE"
    is_flag["bundled"] = "PROGRAM_IS_BUNDLED"
    is_flag["posix"] = "PROGRAM_IS_POSIX"
    is_flag["inherits"] = "PROGRAM_INHERITS"
    is_flag["helps"] = "PROGRAM_HELPS"
    is_flag["configured"] = "PROGRAM_IS_CONFIGURED"
    is_flag["directed"] = "PROGRAM_IS_DIRECTED"
    is_flag["abbreviates"] = "PROGRAM_ABBREVIATES"
    is_flag["builtin"] = "PROGRAM_IS_BUILTIN"
    split("changes deletes makes reads plain", names, " ")
    for (i in names)
        is_use[names[i]] = 1
    text_of("")
    add_word("PROGRAM_END", 0, 0, 0)
}

# A line is read when the next one begins, which may continue it.
/^    / { held = held " " substr($0, 5); next }
{
    now = $0
    read_held()
    held = now
    place = FILENAME ":" FNR
}
END {
    read_held()
    end_stanza()
    check_parents()
    if (failed)
        exit 1
    if (examples)
        print_examples()
    else
        print_tables()
}

# The margin tells what kind of line it is.
function read_held()
{
    $0 = held
    if (/^[^ #]/)
        header()
    else if (/^ *#/ || /^ *$/)
        return
    else if (/^  [^ ]/ && n_stanzas)
        line()
    else
        fail("neither a name at the margin nor a line behind two blanks")
}

function fail(why)
{
    fail_at(place, why)
}

function fail_at(where, why)
{
    printf "%s: %s\n", where, why > "/dev/stderr"
    failed = 1
}

function quote(s)
{
    gsub(/\\/, "&&", s)
    gsub(/"/, "\\\"", s)
    gsub(/\?/, "\\?", s)
    gsub(/\t/, "\\t", s)
    return "\"" s "\""
}

# ---- the tables' contents: each function returns an index

function text_of(s)
{
    if (!(s in texts)) {
        texts[s] = text_length
        text_lines[n_texts++] = s
        text_length += length(s) + 1
    }
    return texts[s]
}

function add_word(kind, n, text, pattern)
{
    words_out[n_words] = sprintf("{%s, %d, %d, %d}", kind, n, text, pattern)
    return n_words++
}

# The option that begins s, "" when none does; option_pattern is what follows.
function option(s,    at)
{
    at = index(s, "=")
    option_pattern = at ? substr(s, at + 1) : ""
    if (at)
        s = substr(s, 1, at - 1)
    if (s !~ /^-/ || s == "-" || s == "--")
        return ""
    option_kind = s ~ /^--/ ? "PROGRAM_LONG" : \
        length(s) == 2 ? "PROGRAM_SHORT" : "PROGRAM_WHOLE"
    return s
}

function add_option(s,    name)
{
    name = option(s)
    if (name == "")
        return fail("no option: " s)
    add_word(option_kind, 0, text_of(name), text_of(option_pattern))
}

# One word of if, unless, help.
function add_condition(s,    n)
{
    if (s == "--")
        return add_word("PROGRAM_DASHES", 0, 0, 0)
    if (s ~ /^[0-9]?=./) {
        n = s + 0
        sub(/^[0-9]?=/, "", s)
        return add_word("PROGRAM_OPERAND", n, 0, text_of(s))
    }
    add_option(s)
}

# Adds w[at…] up to a word that begins a clause; moves at behind them.
function list(w, n, what,    from)
{
    from = n_words
    for (; at <= n && w[at] !~ /^(if|unless|when)$/; at++)
        if (what == "options")
            add_option(w[at])
        else if (what == "conditions")
            add_condition(w[at])
        else
            add_select(w, n, what)
    if (n_words == from)
        fail("a word is missing")
    add_word("PROGRAM_END", 0, 0, 0)
    return from
}

function add_select(w, n, verb,    s)
{
    s = w[at]
    if (s == "ARGS" || s == "LAST" || s == "REMOTE")
        add_word("PROGRAM_" s, 0, 0, 0)
    else if (s == "BUT-LAST")
        add_word("PROGRAM_BUT_LAST", 0, 0, 0)
    else if (s == "INTO")
        add_word("PROGRAM_INTO", 0, 0, 0)
    else if (s ~ /^[1-9]$/)
        add_word("PROGRAM_NTH", s, 0, 0)
    else if (s ~ /^[1-9]\.\.$/)
        add_word("PROGRAM_FROM", s + 0, 0, 0)
    else if (s ~ /^[A-Za-z_]+[=:]\*$/)
        add_word("PROGRAM_NAMED", 0, text_of(substr(s, 1, length(s) - 1)), 0)
    else if (s == "*:*" || s == "*@*")
        add_word("PROGRAM_NAMED", 0, text_of(substr(s, 2, 1)), 0)
    else if (s == "AFTER" && verb == "runs") {
        while (++at <= n && w[at] != "END")
            add_word("PROGRAM_AFTER", 0, text_of(w[at]), 0)
        while (++at <= n && w[at] !~ /^(if|unless|when)$/)
            add_word("PROGRAM_UNTIL", 0, text_of(w[at]), 0)
        at--
    } else if (s ~ /^[.~\/a-z]/)
        add_word("PROGRAM_LITERAL", 0, text_of(s), 0)
    else
        add_option(s)
    if (s ~ /^-.*=/ && s !~ /\*$/)
        fail("a value's beginning ends in *: " s)
}

# ---- stanzas

function end_stanza()
{
    if (n_stanzas && !has_example)
        fail_at(stanza_place, "a stanza without an example")
}

function header(    rest, name)
{
    end_stanza()
    n_stanzas++
    has_example = 0
    stanza_place = place
    rest = $0
    while (rest != "") {
        if (match(rest, /^"[^"]+"/))
            name = substr(rest, 2, RLENGTH - 2)
        else {
            match(rest, /^[^ ]+/)
            name = substr(rest, 1, RLENGTH)
        }
        rest = substr(rest, RLENGTH + 1)
        sub(/^ +/, "", rest)
        if (name in places)
            fail(name " has a stanza at " places[name])
        else if (split(name, name_words, " ") > 3)
            fail(name " has more than three words")
        else {
            program_names[n_programs] = name
            program_stanza[n_programs++] = n_stanzas
        }
        places[name] = place
    }
    stanza_rules[n_stanzas] = n_rules + 0
}

function line(    s, w, n)
{
    s = $0
    sub(/^ +/, "", s)
    sub(/ +$/, "", s)
    if (s ~ /^[+-] /)
        return example(s)
    n = split(s, w, " ")
    if (w[1] in is_flag && n == 1)
        stanza_flags[n_stanzas] = stanza_flags[n_stanzas] " | " is_flag[w[1]]
    else if (w[1] ~ /^(values|help|recursive|ends|words)$/)
        about_line(w, n)
    else if (w[1] in is_verb)
        argument_line(w, n)
    else
        fact_line(s)
}

function about_line(w, n,    list_at)
{
    if ((n_stanzas, w[1]) in stanza_lists)
        fail("a second line of " w[1])
    at = 2
    if (w[1] == "recursive" && w[2] == "always" && n == 2) {
        stanza_flags[n_stanzas] = \
            stanza_flags[n_stanzas] " | PROGRAM_IS_RECURSIVE"
        return
    }
    list_at = list(w, n, w[1] ~ /^(values|ends|words)$/ ? "options" : "conditions")
    stanza_lists[n_stanzas, w[1]] = list_at
    if (at <= n)
        fail("no " w[at] " here")
}

# if …, unless …, when … from w[at] on.
function conditions(w, n,    word)
{
    rule_clauses = n_clauses + 0
    rule_n_clauses = 0
    rule_when = "0"
    while (at <= n) {
        word = w[at++]
        if (word == "when") {
            for (; at <= n && w[at] in is_when; at++)
                rule_when = rule_when " | " is_when[w[at]]
            if (at <= n && w[at] !~ /^(if|unless|when)$/)
                return fail("an unknown condition: " w[at])
        } else if (word == "if" || word == "unless") {
            clauses[n_clauses++] = sprintf("{%s, %d}",
                word == "if" ? "false" : "true", list(w, n, "conditions"))
            rule_n_clauses++
        } else
            return fail("if, unless or when should stand before " word)
    }
}

function add_rule(verb, n, elsewhere, facts, select, text)
{
    rules[n_rules++] = sprintf("{%s, %d, %d, %d, %s, %s, %d, %d, %d}",
        verb, n, elsewhere, rule_n_clauses, rule_when, facts, rule_clauses,
        select, text)
    if (n_rules - stanza_rules[n_stanzas] > 200)
        fail("more than 200 lines in a stanza")
}

function argument_line(w, n,    name, elsewhere, language, select, after)
{
    name = w[1]
    at = 2
    select = after = elsewhere = 0
    language = ""
    if (w[at] == "elsewhere" && name ~ /^(shell|runs|wraps)$/) {
        elsewhere = 1
        at++
    }
    if (name == "wraps" && w[at] == "after") {
        after = w[at + 1]
        at += 2
        if (after !~ /^[1-9]$/)
            fail("after needs a number")
    }
    if (name == "code" || name == "input") {
        language = w[at++]
        if (!(language in is_language))
            fail("an unknown language: " language)
    }
    if (name != "wraps" && name != "input")
        select = list(w, n, name)
    conditions(w, n)
    add_rule(is_verb[name], after, elsewhere, "0", select, text_of(language))
}

# FACT… conditions: REASON
function fact_line(s,    left, reason, w, n, facts)
{
    left = s
    reason = ""
    if (match(s, /: /)) {
        left = substr(s, 1, RSTART - 1)
        reason = substr(s, RSTART + 2)
    }
    n = split(left, w, " ")
    facts = "0"
    for (at = 1; at <= n && w[at] in is_fact; at++)
        facts = facts " | " is_fact[w[at]]
    if (left ~ /^plain( |$)/) {
        at = 2
        conditions(w, n)
        add_rule("PROGRAM_PLAIN", 0, 0, facts, 0, 0)
        return
    }
    if (at == 1)
        return fail("neither a fact nor a word of README: " w[1])
    if (reason == "")
        fail("a fact without a reason")
    conditions(w, n)
    add_rule("PROGRAM_FACT", 0, 0, facts, 0, text_of(reason))
}

# +|- FACT…: command line
function example(s,    at, n, w, i, facts, uses)
{
    has_example = 1
    at = index(s, ": ")
    if (!at)
        return fail("an example has FACT…: COMMAND")
    n = split(substr(s, 3, at - 3), w, " ")
    facts = "0"
    uses = ""
    for (i = 1; i <= n; i++)
        if (w[i] in is_fact)
            facts = facts " | " is_fact[w[i]]
        else if (w[i] in is_use)
            uses = uses " " w[i]
        else
            return fail("an unknown fact: " w[i])
    if (n == 0)
        return fail("an example without a fact")
    examples_of[n_examples++] = sprintf("{%s, %d, %s, %s,\n     %s},",
        quote(place), s ~ /^\+/, facts, quote(substr(uses, 2)),
        quote(substr(s, at + 2)))
}

function check_parents(    name, parent)
{
    for (name in places) {
        parent = name
        while (sub(/ [^ ]*$/, "", parent))
            if (!(parent in places) && parent !~ / /)
                fail_at(places[name], name ": no stanza for " parent)
    }
}

# ---- what is printed

function sort_names(    i, j, name, stanza)
{
    for (i = 1; i < n_programs; i++) {
        name = program_names[i]
        stanza = program_stanza[i]
        for (j = i; j > 0 && program_names[j - 1] > name; j--) {
            program_names[j] = program_names[j - 1]
            program_stanza[j] = program_stanza[j - 1]
        }
        program_names[j] = name
        program_stanza[j] = stanza
    }
}

function print_array(type, name, rows, n,    i)
{
    printf "static const %s %s[] = {\n", type, name
    for (i = 0; i < n; i++)
        printf "    %s,\n", rows[i]
    print "};"
}

function print_tables(    i, s)
{
    print "/* Made by src/guard/risk/programs/make.awk. */"
    sort_names()
    stanza_rules[n_stanzas + 1] = n_rules + 0
    for (i = 0; i < n_programs; i++) {
        s = program_stanza[i]
        names[i] = sprintf("{%d, %d, 0%s, %d, %d, %d, %d, %d, %d}",
            text_of(program_names[i]), stanza_rules[s + 1] - stanza_rules[s],
            stanza_flags[s], stanza_rules[s], stanza_lists[s, "values"],
            stanza_lists[s, "help"], stanza_lists[s, "recursive"],
            stanza_lists[s, "ends"], stanza_lists[s, "words"])
    }
    print_array("struct program", "programs", names, n_programs)
    if (!n_rules)
        rules[n_rules++] = "{0}"
    print_array("struct program_rule", "rules", rules, n_rules)
    if (!n_clauses)
        clauses[n_clauses++] = "{0, 0}"
    print_array("struct program_clause", "clauses", clauses, n_clauses)
    print_array("struct program_word", "words", words_out, n_words)
    print "static const char texts[] ="
    for (i = 0; i < n_texts; i++)
        printf "    %s\n", (i ? "\"\\0\" " : "") quote(text_lines[i])
    print "    ;"
}

function print_examples(    i)
{
    print "/* Made by src/guard/risk/programs/make.awk. */"
    print "static const struct example examples[] = {"
    for (i = 0; i < n_examples; i++)
        print "    " examples_of[i]
    print "};"
}
