#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# bootstrap.bats - ./bootstrap in a tree of fakes: nothing is installed.
#
# The PATH of each test is one directory: scripts that call the few tools that
# bootstrap needs (no links: a fake written over one would be written over the
# tool), and fakes of apt-get, sudo, id, pkg-config, autoreconf and make that
# write their arguments to the file `calls`.
# shellcheck disable=SC2016,SC2164,SC2154 # fakes' bodies; bats ends at errors
# shellcheck disable=SC2094 # the list is read twice, and not written
bats_require_minimum_version 1.5.0

setup() {
    tree=$BATS_TEST_TMPDIR/tree
    bin=$BATS_TEST_TMPDIR/bin
    calls=$BATS_TEST_TMPDIR/calls
    mkdir -p "$tree/src" "$bin"
    : >"$calls"
    for tool in cat chmod dirname env ln true find flock grep head mkdir rm sed sh \
        sleep stat tail tee touch nproc; do
        printf '#!/bin/sh\nexec %s "$@"\n' "$(type -P "$tool")" >"$bin/$tool"
    done
    chmod +x "$bin"/*
    cp "${top_srcdir:-.}/bootstrap" "$tree/"
    for d in plugins hooks prompts man tests; do mkdir "$tree/$d"; done
    touch "$tree/configure.ac" "$tree/Makefile.am" "$tree/src/a.c" \
        "$tree/src/local.mk"
    cat >"$tree/packages.txt" <<'EOF'
# package   for    found           what for
fakeconf    build  cmd:autoreconf  makes configure
libfake-dev build  lib:fake        a library
faketest    test   cmd:faketest    a test tool
fakelint    lint   cmd:fakelint    a checker
fakefile    fuzz   file:/no-such-*|src/a.c|/nowhere  one of several files
other libfake-dev  fake-devel     =            fake          libfake-devel
other faketest     faketest-tools =            -             =
other fakelint     -              =            fake          =
EOF
    fake id 'echo "${FAKE_UID:-0}"'
    fake apt-get 'case " $* " in
        *" -s "*)
            [ ! -e "$fakes/unknown" ] || exit 100
            for p; do [ ! -e "$fakes/never-$p" ] || exit 100; done ;;
        *" update "*) rm -f "$fakes/unknown" ;;
        *" install "*)
            echo "apt-get said: install"
            if [ -e "$fakes/apt-says" ]; then
                cat "$fakes/apt-says"
                exit 100
            fi
            for p; do :>"$fakes/has-$p"; done
            [ ! -e "$fakes/has-faketest" ] || ln -sf true "$fakes/faketest" ;;
        esac'
    fake pkg-config '[ -e "$fakes/has-libfake-dev" ]'
    fake sudo 'while :; do case $1 in
        -n | -H | --) shift ;;
        -u) shift 2 ;;
        *) break ;;
        esac; done; FAKE_UID=0 exec "$@"'
    fake autoreconf 'printf "#!/bin/sh\n: >Makefile\n" >configure
        chmod +x configure'
    fake make 'mkdir -p build; for p in agentsh ai; do
        {
            echo "#!/bin/sh"
            echo "printf \"$p in %s\\n\" \"\$PWD\""
            echo "[ \$# -eq 0 ] || printf \"<%s>\\n\" \"\$@\""
            echo "[ \"\$1\" != fail ] || exit 3"
        } >build/$p; chmod +x build/$p; done'
    installed libfake-dev
    cd "$tree"
}

# fake NAME BODY: a program that notes how it was called, then does BODY.
fake() {
    {
        echo '#!/bin/sh'
        echo "fakes='$bin'"
        echo "echo \"$1 \$*\" >>'$calls'"
        printf '%s\n' "$2"
    } >"$bin/$1"
    chmod +x "$bin/$1"
}

installed() { : >"$bin/has-$1"; }
missing() { rm -f "$bin/has-$1"; }

boot() {
    run --separate-stderr env -i PATH="$bin" FAKE_UID="${uid:-0}" \
        "$@" </dev/null
}

# A system whose package manager is $1, a fake: it is never called.
managed_by() {
    rm "$bin/apt-get"
    fake "$1" 'exit 9'
}

# The same on a terminal, where $keys is typed.
boot_tty() {
    run env PATH="$bin:$PATH" FAKE_UID="${uid:-0}" "$PYTHON3" -c '
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.environ["PATH"] = sys.argv[1]
    os.execv(sys.argv[3], sys.argv[3:])
os.write(fd, sys.argv[2].encode() + b"\n")
while True:
    try:
        piece = os.read(fd, 4096)
    except OSError:
        break
    if not piece:
        break
    sys.stdout.write(piece.decode().replace("\r", ""))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
' "$bin" "$keys" "$@"
}

called() { grep -q -- "$1" "$calls"; }
never_called() { ! grep -- "$1" "$calls"; }

@test "help is printed and nothing is called" {
    boot ./bootstrap --help
    [ "$status" -eq 0 ]
    [[ "$output" == "usage: ./bootstrap"* ]]
    [ ! -s "$calls" ]
}

@test "wrong usage is one line, exit 2, and nothing is called" {
    for words in '' 'walk' '--loud run' 'deps walk' 'check x' 'build x' \
        'install --prefix' 'install x' 'check --loud' 'build -v x' \
        'build --prefix=/x' '--prefix' 'run --prefix=/x a' '-- check x'; do
        # shellcheck disable=SC2086
        boot ./bootstrap $words
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [ "${#stderr_lines[@]}" -eq 1 ]
        [ ! -s "$calls" ]
    done
}

@test "run gives ai its arguments as they are, in the caller's directory" {
    mkdir "$BATS_TEST_TMPDIR/else where"
    cd "$BATS_TEST_TMPDIR/else where"
    boot "$tree/bootstrap" run explain 'tar -xzf "a  b.tgz"' '' -y
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "ai in $BATS_TEST_TMPDIR/else where" ]
    [ "${lines[1]}" = '<explain>' ]
    [ "${lines[2]}" = '<tar -xzf "a  b.tgz">' ]
    [ "${lines[3]}" = '<>' ]
    [ "${lines[4]}" = '<-y>' ]
}

@test "run prints nothing on standard output that is not the program's" {
    missing libfake-dev
    boot ./bootstrap run log
    [ "$status" -eq 0 ]
    [ "$output" = "ai in $tree
<log>" ]
}

@test "run without arguments starts the shell" {
    boot ./bootstrap run
    [ "$output" = "agentsh in $tree" ]
}

@test "run takes --yes before the verb for itself" {
    boot ./bootstrap run --yes log it
    [ "${lines[1]}" = '<log>' ]
    boot ./bootstrap run -y -- --yes
    [ "${lines[1]}" = '<--yes>' ]
}

@test "options of bootstrap's stand before and behind the command" {
    for words in '-v build' 'build -v' 'deps build --verbose' \
        '--yes check -v' '--verbose run -- log' 'run --verbose log'; do
        missing libfake-dev
        rm -f build/bootstrap.log
        # shellcheck disable=SC2086
        boot ./bootstrap $words
        [ "$status" -eq 0 ]
        # what apt-get prints is shown, not kept
        [[ "$stderr" == *'apt-get said: install'* ]]
    done
    for words in '--help check' 'check --help' 'install -h'; do
        : >"$calls"
        # shellcheck disable=SC2086
        boot ./bootstrap $words
        [ "$status" -eq 0 ]
        [[ "$output" == "usage: ./bootstrap"* ]]
        [ ! -s "$calls" ]
    done
}

@test "--yes behind the command does not ask on a terminal" {
    for words in 'build --yes' 'deps build -y' 'run -y log' 'check --yes'; do
        missing libfake-dev
        : >"$calls"
        # shellcheck disable=SC2086
        keys='' boot_tty ./bootstrap $words
        [ "$status" -eq 0 ]
        [[ "$output" != *"[y/N]"* ]]
        called ' install '
    done
}

@test "what follows the first word of run is ai's" {
    boot ./bootstrap run explain --yes -v --help -- --prefix=/x
    [ "${lines[*]:1}" = '<explain> <--yes> <-v> <--help> <--> <--prefix=/x>' ]
    boot ./bootstrap run --offline --yes 'a b'
    [ "${lines[*]:1}" = '<--offline> <--yes> <a b>' ]
    boot ./bootstrap run -- -v --yes
    [ "${lines[*]:1}" = '<-v> <--yes>' ]
    boot ./bootstrap -- run -v
    [ "${lines[*]:1}" = '<-v>' ]
}

@test "run ends with the status of the program" {
    boot ./bootstrap run fail
    [ "$status" -eq 3 ]
}

@test "a second call installs, configures and builds nothing" {
    boot ./bootstrap run a
    : >"$calls"
    boot ./bootstrap run b
    [ "$status" -eq 0 ]
    [ "${lines[1]}" = '<b>' ]
    [ -z "$stderr" ]
    never_called apt-get
    never_called autoreconf
    never_called make
}

@test "a changed source file is built and not configured again" {
    boot ./bootstrap run a
    : >"$calls"
    touch -d '+2 seconds' src/a.c
    boot ./bootstrap run a
    called 'make -C build'
    never_called autoreconf
}

@test "a source file that is gone is a reason to build" {
    boot ./bootstrap run a
    : >"$calls"
    rm src/a.c
    touch -d '+2 seconds' src
    boot ./bootstrap run a
    called 'make -C build'
}

@test "another build folder is no reason to build" {
    boot ./bootstrap run a
    : >"$calls"
    mkdir build-other
    touch -d '+2 seconds' build-other .
    boot ./bootstrap run a
    never_called make
}

@test "a changed list of sources is configured again" {
    boot ./bootstrap run a
    : >"$calls"
    touch -d '+2 seconds' src/local.mk
    boot ./bootstrap run a
    called autoreconf
    called 'make -C build'
}

@test "a program that was removed is built again" {
    boot ./bootstrap run a
    rm build/agentsh
    boot ./bootstrap run a
    [ "$status" -eq 0 ]
}

@test "check configures again when only run had been called before" {
    boot ./bootstrap run a
    : >"$calls"
    boot ./bootstrap check
    called autoreconf
    called 'make -C build -s -j [0-9]* check'
    : >"$calls"
    boot ./bootstrap check
    never_called autoreconf
}

@test "what is missing is installed in one quiet call" {
    missing libfake-dev
    boot ./bootstrap check
    [ "$status" -eq 0 ]
    called 'apt-get -q -y .*install --no-install-recommends faketest libfake-dev$'
    never_called ' update'
    [[ "$stderr" == *"installing faketest libfake-dev"* ]]
}

@test "run does not install what only tests need" {
    missing libfake-dev
    boot ./bootstrap run a
    called 'install --no-install-recommends libfake-dev$'
}

@test "deps installs and stops, and takes names of purposes" {
    missing libfake-dev
    boot ./bootstrap deps build
    [ "$status" -eq 0 ]
    called 'recommends libfake-dev$'
    never_called autoreconf
    [ ! -e build/Makefile ]
}

@test "package lists are fetched when they do not know a package" {
    missing libfake-dev
    : >"$bin/unknown"
    boot ./bootstrap build
    [ "$status" -eq 0 ]
    called 'apt-get .* update'
}

@test "no network is said in one line" {
    missing libfake-dev
    : >"$bin/unknown"
    echo "W: Failed to fetch http://x  Temporary failure resolving 'x'" \
        >"$bin/apt-says"
    boot ./bootstrap build
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"cannot install: the package mirror cannot be reached"* ]]
    never_called autoreconf
}

@test "without network nothing is tried twice when the lists are here" {
    missing libfake-dev
    echo "E: Failed to fetch http://x  Could not connect to x:80" \
        >"$bin/apt-says"
    boot ./bootstrap build
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"the package mirror cannot be reached"* ]]
    never_called ' update'
}

@test "apt-get's own reason is passed on" {
    missing libfake-dev
    echo 'E: no space left' >"$bin/apt-says"
    boot ./bootstrap build
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"cannot install: no space left"* ]]
}

@test "an ordinary user's sudo runs apt-get and nothing else" {
    missing libfake-dev
    uid=1000 boot ./bootstrap build
    [ "$status" -eq 0 ]
    called 'sudo -n env .*apt-get'
    never_called 'sudo .*\(make\|autoreconf\|mkdir\)'
}

@test "without root and sudo the packages are named" {
    rm "$bin/sudo"
    missing libfake-dev
    uid=1000 boot ./bootstrap build
    [ "$status" -eq 1 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"needs root or sudo"*"libfake-dev" ]]
    never_called apt-get
}

@test "a sudo that refuses is as good as none" {
    fake sudo 'echo "sudo: a password is required" >&2; exit 1'
    missing libfake-dev
    uid=1000 boot ./bootstrap build
    [ "$status" -eq 1 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"needs root or sudo"*"libfake-dev" ]]
    never_called apt-get
}

@test "without a package manager the packages are named" {
    rm "$bin/apt-get"
    missing libfake-dev
    boot ./bootstrap build
    [ "$status" -eq 1 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"no package manager that is known here"*"libfake-dev" ]]
}

@test "each other package manager's command is said, with its names" {
    missing libfake-dev
    rm "$bin/apt-get"
    while IFS='|' read -r manager command; do
        fake "$manager" 'exit 9'
        boot ./bootstrap check
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ "$stderr" == *": $command" ]]
        uid=1000 boot ./bootstrap check
        [[ "$stderr" == *": sudo $command" ]]
        never_called "^$manager"
        rm "$bin/$manager"
    done <<'EOF'
dnf|dnf install faketest-tools fake-devel
apk|apk add faketest libfake-dev
pacman|pacman -S --needed fake (and, not packaged here: faketest)
zypper|zypper install faketest libfake-devel
EOF
}

@test "without sudo and with doas the command begins with doas" {
    managed_by apk
    missing libfake-dev
    rm "$bin/sudo"
    fake doas 'exit 9'
    uid=1000 boot ./bootstrap build
    [[ "$stderr" == *": doas apk add libfake-dev" ]]
    never_called doas
}

@test "what another package manager could add for the tests does not stop them" {
    managed_by dnf
    boot ./bootstrap check
    [ "$status" -eq 0 ]
    [[ "$stderr" == *": dnf install faketest-tools; going on without"* ]]
    called 'make .* check'
    boot ./bootstrap deps lint
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"not packaged here: fakelint; going on without"* ]]
}

@test "a package that this release does not have is named, and the rest installed" {
    missing libfake-dev
    : >"$bin/never-fakelint"
    boot ./bootstrap deps build lint
    [ "$status" -eq 0 ]
    called 'recommends libfake-dev$'
    never_called '-y .*fakelint$'
    [[ "$stderr" == *"not in this system's package lists: fakelint; going on without" ]]
    missing libfake-dev # which nobody asks for here
    boot ./bootstrap deps lint
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"package lists: fakelint; going on without" ]]
    : >"$bin/never-libfake-dev"
    boot ./bootstrap build
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"not in this system's package lists: libfake-dev" ]]
}

@test "one of several files is enough" {
    boot ./bootstrap deps fuzz
    [ "$status" -eq 0 ]
    never_called apt-get
    rm src/a.c
    boot ./bootstrap deps fuzz
    called 'install .*fakefile$'
}

@test "without apt-get what pkg-config finds is good enough" {
    rm "$bin/apt-get"
    boot ./bootstrap build
    [ "$status" -eq 0 ]
}

@test "a missing test tool that cannot be had does not stop the tests" {
    rm "$bin/sudo"
    uid=1000 boot ./bootstrap check
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"faketest; going on without"* ]]
    called 'make .* check'
}

@test "on a terminal it asks, and Enter means no" {
    missing libfake-dev
    keys='' boot_tty ./bootstrap build
    [ "$status" -eq 1 ]
    [[ "$output" == *"libfake-dev"*"[y/N]"*"nothing was installed"* ]]
    never_called ' install '
    keys=y boot_tty ./bootstrap build
    [ "$status" -eq 0 ]
    called ' install '
}

@test "--yes does not ask on a terminal" {
    missing libfake-dev
    keys='' boot_tty ./bootstrap --yes build
    [ "$status" -eq 0 ]
    [[ "$output" != *"[y/N]"* ]]
    called ' install '
}

@test "sudo ./bootstrap in a tree of the caller's goes on as the caller" {
    fake stat 'echo 1000'
    fake sudo 'exit 7'
    boot SUDO_UID=1000 ./bootstrap run a
    [ "$status" -eq 7 ]
    called 'sudo -H -u #1000 -- ./bootstrap run a'
    never_called autoreconf
}

@test "sudo ./bootstrap in a tree of root's stays root" {
    fake stat 'echo 0'
    boot SUDO_UID=1000 ./bootstrap run a
    [ "$status" -eq 0 ]
    never_called sudo
}

@test "a failing compiler is shown, with the place of the log" {
    fake make 'echo "a.c:1:1: error: no such thing"; exit 2'
    boot ./bootstrap run a
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"a.c:1:1: error: no such thing"* ]]
    [[ "$stderr" == *"make failed; its output is in $tree/build/bootstrap.log"* ]]
}

@test "a failing configure says why" {
    fake autoreconf 'printf "#!/bin/sh\necho configure: error: no libfoo >&2
        exit 1" >configure; chmod +x configure'
    boot ./bootstrap run a
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"configure: no libfoo" ]]
    boot ./bootstrap run a
    [ "$status" -eq 1 ]
}

@test "install passes the prefix on and remembers it" {
    boot ./bootstrap install --prefix "$BATS_TEST_TMPDIR/p"
    [ "$status" -eq 0 ]
    called 'make -C build -s install'
    [ "$(cat build/.prefix)" = "$BATS_TEST_TMPDIR/p" ]
    : >"$calls"
    boot ./bootstrap install --prefix="$BATS_TEST_TMPDIR/p"
    never_called autoreconf
    boot ./bootstrap --prefix "$BATS_TEST_TMPDIR/q" install -v
    [ "$status" -eq 0 ]
    called autoreconf
    [ "$(cat build/.prefix)" = "$BATS_TEST_TMPDIR/q" ]
}

@test "a path with blanks is refused in one line" {
    mv "$tree" "$BATS_TEST_TMPDIR/a tree"
    cd "$BATS_TEST_TMPDIR/a tree"
    boot ./bootstrap run a
    [ "$status" -eq 1 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"path with blanks"* ]]
}

@test "packages.txt: each row is of a known kind, each other name of a package" {
    list=${top_srcdir:-.}/packages.txt
    while read -r package class probe rest; do
        case $package in '#'* | '') continue ;; esac
        if [ "$package" = other ]; then
            # package dnf apk pacman zypper, and nothing more
            # shellcheck disable=SC2086 # words to count
            set -- $rest
            [ $# -eq 3 ]
            grep -q "^$class .* \(cmd\|lib\|py\|file\):" "$list"
            continue
        fi
        [[ $class == @(build|test|lint|fuzz|ports) ]]
        [[ $probe == @(cmd|lib|py|file):?* ]]
        [ -n "$rest" ]
    done <"$list"
    grep -q '^other ' "$list"
    [ -z "$(sed '/^#/d; /^$/d; s/^other /other=/; s/ .*//' "$list" | sort |
        uniq -d)" ]
}
