/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_context.c - what a path of a command line is read against. */
#include "guard/path/path_context.h"

#include <unistd.h>

struct path_context
path_context_of(const struct seat *s)
{
    return (struct path_context){.cwd = seat_dir(s),
                                 .home = seat_home(s),
                                 .path = seat_path(s),
                                 .as_root = geteuid() == 0,
                                 .seat = s};
}

struct git_person
path_context_person(const struct path_context *where)
{
    return (struct git_person){
        .home = where->home,
        .config_home = where->seat
                           ? seat_variable(where->seat, "XDG_CONFIG_HOME")
                           : NULL};
}
