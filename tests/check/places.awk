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

# What a program opens to read, to write or to lose bytes is no place.
n_files == 1 && /^    {?"/ && !/SINK/ { remember($0) }

n_files > 1 {
    text = $0
    while (match(text, /"\/[^"]+"/)) {
        name = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        sub(/\/+$/, "", name)
        if (name in places && !((FILENAME " " name) in allowed))
            print FILENAME ":" FNR ": " name \
                " is a row of src/guard/path/path_table.c"
    }
}
