#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# layers.sh - each folder includes only what stands before it, and the wings
# that are handed a seat do not ask the process for what is in it.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

# complaints DIR: about the source below DIR.
complaints() {
    (cd "$1" && find src plugins -name '*.[ch]' 2>/dev/null | LC_ALL=C sort |
        xargs awk -f "$checks/code.awk" -f "$checks/layers.awk")
}

# ---- it sees what it looks for

plant src/base/a.c <<'END'
#include "base/a.h"
#include "json/json.h"
END
plant src/json/b.c <<'END'
#include <cjson/cJSON.h>
#include "base/a.h"
# include "../config/config.h"
END
plant src/guard/c.c <<'END'
#include <linux/seccomp.h>
#include <seccomp.h>
#include <ini.h>
#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <readline/history.h>
END
plant src/sandbox/d.c <<'END'
#include <seccomp.h>
#include "src/sandbox/made.h"
#include "src/tool/registry.h"
END
plant src/frontend/cli/e.c <<'END'
#include "frontend/cli/f.h"
#include "frontend/repl/g.h"
#include "ui/review.h"
END
plant src/frontend/repl/g.c <<'END'
#include <readline/history.h>
#include "plugins/cmd.run/main.h"
END
plant src/guard/path/where.c <<'END'
/* getcwd(3), getenv("HOME") and environ are not asked */
#include "base/environ_names.h"
    const char *cwd = getcwd(space, size);
    puts("getenv(HOME)");
    my_getenv("HOME"); x->environ_of(1); environ_names("a");
    home = secure_getenv ("HOME"), path = getenv("PATH");
    for (char **v = environ; *v; v++)
    return path_home() ? opendir(".") : realpath("./x", NULL);
    fd = openat(dir, ".", O_RDONLY | O_CLOEXEC);
    fd = openat(AT_FDCWD, ".", O_RDONLY | O_CLOEXEC);
END
plant src/sandbox/launch/alone.c <<'END'
    conf->cwd = getcwd(l->cwd, sizeof(l->cwd));
END
plant src/model/prompt/moves.c <<'END'
    fchdir(seat_fd(s));
END
plant src/model/key.c <<'END'
    key = getenv("OPENAI_API_KEY");
END
for path in process/proxy warm_process model_process; do
    plant "src/model/$path.c" <<'END'
    proxy = getenv("https_proxy");
END
done
plant src/extra/h.c <<'END'
#include "base/a.h"
END
plant src/main.c <<'END'
#include "frontend/cli/f.h"
#include "frontend/repl/g.h"
END
plant plugins/x/main.c <<'END'
#include "base/a.h"
#include "json/json.h"
#include "plugins/lib/reply.h"
#include "plugins/x/main.h"
#include "guard/words.h"
#include "plugins/y/main.h"
END
plant plugins/lib/reply.c <<'END'
#include "plugins/x/main.h"
END

complaints "$scratch" >"$scratch/out"
while IFS='|' read -r name place complaint; do
    sees "it sees $name" "$place: $complaint" "$scratch/out"
done <<'END'
a later folder|src/base/a.c:2|base/ stands before json/
a path with ..|src/json/b.c:3|a path with .. hides its folder
libseccomp|src/guard/c.c:2|<seccomp.h> belongs in src/sandbox/
inih|src/guard/c.c:3|<ini.h> belongs in src/config/
cJSON|src/guard/c.c:4|<cjson/cJSON.h> belongs in src/json/
libcurl|src/guard/c.c:5|<curl/curl.h> belongs in src/model/
Readline|src/guard/c.c:6|<readline/history.h> belongs in src/frontend/repl/
a path from the top|src/sandbox/d.c:3|sandbox/ stands before tool/
another frontend|src/frontend/cli/e.c:2|a frontend knows nothing of frontend/repl/
a plugin's header|src/frontend/repl/g.c:2|nothing includes from plugins/
getcwd|src/guard/path/where.c:3|getcwd() is about the process; ask the seat
secure_getenv|src/guard/path/where.c:6|secure_getenv() is about the process; ask the seat
getenv|src/guard/path/where.c:6|getenv() is about the process; ask the seat
environ|src/guard/path/where.c:7|environ is the process's; the seat has variables
a call of base/ that asks|src/guard/path/where.c:8|path_home() is about the process; ask the seat
the directory .|src/guard/path/where.c:8|"." is the process's directory; ask the seat
the . of openat|src/guard/path/where.c:10|"." is the process's directory; ask the seat
a change of directory|src/model/prompt/moves.c:1|fchdir() is about the process; ask the seat
a key of the process|src/model/key.c:1|getenv() is about the process; ask the seat
a folder without a place|src/extra/h.c:1|extra/ has no place in the order
a wing in a plugin|plugins/x/main.c:5|a plugin stands on base/ and json/
another plugin|plugins/x/main.c:6|a plugin knows its own and plugins/lib/
a plugin in lib|plugins/lib/reply.c:1|a plugin knows its own and plugins/lib/
END
if [ "$(wc -l <"$scratch/out")" -eq 23 ]; then
    ok 'it sees nothing else'
else
    not_ok 'it sees nothing else' <"$scratch/out"
fi

# ---- the tree

complaints "$root" >"$scratch/tree"
clean 'each folder includes only what stands before it, and asks its seat' \
    "$scratch/tree"

# The order stands in HACKING for people and in layers.awk for this check.
awk '/^BEGIN/, /^}/' "$checks/layers.awk" | tr -d '\042\134' |
    tr -s ' \n' '  ' >"$scratch/order"
sed -n '/^    base  json/,/^$/p' "$root/HACKING" | tr -s ' \n' '  ' |
    sed 's/^ //; s/ $//' >"$scratch/told"
if [ -s "$scratch/told" ] &&
    grep -q -F -e "$(cat "$scratch/told")" "$scratch/order"; then
    ok 'HACKING tells the same order'
else
    not_ok 'HACKING tells the same order' <"$scratch/told"
fi
done_testing
