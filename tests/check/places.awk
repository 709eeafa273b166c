# SPDX-License-Identifier: GPL-3.0-or-later
# places.awk - literals that name a place which the table of places has.
#
# The first file is the table; each other file is looked at. `excepted` names a
# file of lines FILE PLACE, where the literal is another thing.

function remember(text) {
    while (match(text, /"\/[^"]+"/)) {
        places[substr(text, RSTART + 1, RLENGTH - 2)] = 1
        text = substr(text, RSTART + RLENGTH)
    }
}

BEGIN {
    while (excepted && (getline line < excepted) > 0)
        if (line !~ /^#/ && split(line, part, " ") == 2)
            allowed[part[1] " " part[2]] = 1
}

FNR == 1 { n_files++ }

# A row of the table, also one whose kinds stand on the next line.
n_files == 1 && /^    {?"/ { remember($0) }

# The literal behind this text is opened, or named in an error; it is not
# judged.
function is_opened(text) {
    if (!match(text, /[a-z_]+\([^()]*$/))
        return 0
    text = substr(text, RSTART)
    sub(/\(.*/, "", text)
    return text ~ /^(f?open|openat|opendir|access|l?stat|mount|file_read)$/ ||
        text ~ /^(err_sys|sandbox_layer_missing)$/
}

n_files > 1 {
    text = $0
    while (match(text, /"\/[^"]+"/)) {
        name = substr(text, RSTART + 1, RLENGTH - 2)
        before = substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        opened = is_opened(before)
        sub(/\/+$/, "", name)
        if (name in places && !opened && !((FILENAME " " name) in allowed))
            print FILENAME ":" FNR ": " name \
                " is a row of src/guard/path/path_table.c"
    }
}
