# SPDX-License-Identifier: GPL-3.0-or-later
# code.awk - C without its comments and strings, for the other programs here.
#
# in_comment is to be 0 at the beginning of a file.

# The line without comments and with strings and characters emptied.
function code_of(line, out, c, two) {
    out = ""
    while (line != "") {
        two = substr(line, 1, 2)
        c = substr(line, 1, 1)
        if (in_comment) {
            in_comment = two != "*/"
            line = substr(line, in_comment ? 2 : 3)
        } else if (two == "/*") {
            in_comment = 1
            line = substr(line, 3)
        } else if (c == "\"" || c == "'") {
            out = out c c
            line = after_quote(substr(line, 2), c)
        } else {
            out = out c
            line = substr(line, 2)
        }
    }
    return out
}

function after_quote(line, quote, c) {
    while (line != "") {
        c = substr(line, 1, 1)
        line = substr(line, c == "\\" ? 3 : 2)
        if (c == quote)
            break
    }
    return line
}
