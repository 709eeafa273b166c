# SPDX-License-Identifier: GPL-3.0-or-later
"""options.py - the options that pages show are options that we can explain.

Renders manual pages with mandoc, which is another reader than ours, takes the
tags that name options from what a person would see, and asks for each of them
in a command line. As a test it does so for a few commands; by hand:

    options.py [-v] [common|others|all|NAME…]

says it of each command: a page's name, "git-commit" or "tar". -v names the
options that nobody explains.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import tap  # noqa: E402

PRINTER = os.path.abspath(os.path.join(
    os.environ.get("top_builddir", os.path.join(HERE, "..", "..", "build")),
    "tests", "offline", "print_parts"))
TREE = "/usr/share/man"
SHARE = 0.96  # of a command's options
BARE = "an option that the page only names"
FEWEST = 10   # options of a page that is counted with "all"

COMMON = """tar ls grep find sed awk sort cut ps kill chmod chown cp mv rm
mkdir ln du df head tail wc uniq tr xargs ssh scp rsync curl wget git-commit
git-log systemctl journalctl ip mount""".split()

OTHERS = """apt-get apt-cache dpkg bash gzip xz zip unzip less diff patch make
gcc gdb strace ltrace lsof ss netstat ping dig nc tmux screen vim nano git
git-add git-branch git-checkout git-clone git-diff git-fetch git-merge git-pull
git-push git-rebase git-reset git-status git-stash git-tag ssh-keygen ssh-add
sshd sftp useradd usermod userdel groupadd passwd crontab lsblk blkid fdisk
mkfs.ext4 fsck dd stat file touch date cal who last uptime free top vmstat
ffmpeg convert jq openssl gpg python3 perl sqlite3 rg fd tree watch timeout
nice env tee split join paste comm expand fold nl od hexdump base64 md5sum
sha256sum seq shuf column install mktemp realpath readlink logger mandoc col
pgrep ionice taskset flock script unshare nsenter setpriv losetup swapon
hwclock ip-address ip-link ip-route tc bridge ethtool iptables nft sysctl
modprobe insmod lsmod shutdown loginctl hostnamectl timedatectl systemd-run
busctl networkctl docker man apropos whatis localectl zgrep getfacl
setfacl chattr lsattr debootstrap valgrind objdump nm readelf strings ar ld
strip ctags clang-format bison flex m4 autoconf automake pkg-config""".split()

# As a test: what a machine that can build this has pages of.
TESTED = "mandoc gzip sed grep git-commit sort tar man ls".split()

NO_OPTIONS = re.compile("NAME|SYNOPSIS|EXAMPLE|ENVIRONMENT|SEE ALSO|HISTORY|"
                        "EXIT|BUGS|FILES|AUTHOR|NOTES|DIAGNOSTICS|STANDARDS|"
                        "COPYRIGHT")
OPTION = re.compile(r"(--?[A-Za-z0-9?#][\w.:+-]*)(.?)")


def page_file(name):
    for section in "18":
        found = glob.glob("%s/man%s/%s.%s.gz" % (TREE, section, name, section))
        found += glob.glob("%s/man%s/%s.%s" % (TREE, section, name, section))
        if found:
            return found[0]
    return None


def render(path):
    """A page as plain lines."""
    done = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=120", path],
                          capture_output=True, check=False, cwd=TREE)
    text = done.stdout.decode("utf-8", "replace")
    return re.sub(".\b", "", text).splitlines()


def columns(line):
    return len(line) - len(line.lstrip(" "))


def spellings(tag):
    """The options that a tag names, each with the value that it shows."""
    tag = tag.replace("\u2010", "-").replace("\u2212", "-")
    for piece in re.split(r",\s*(?=-)|\s+\|\s*|\s+or\s+|\s*/\s*(?=-)|\s(?=--)",
                          tag):
        piece = piece.strip(" ,[")
        forms = [piece]
        if piece.startswith("--[no-]"):
            forms = ["--" + piece[7:], "--no-" + piece[7:]]
        for form in forms:
            found = OPTION.match(form)
            if found and not found[1].endswith(("-", "...")):
                name = found[1].rstrip(".:")
                yield name, form[len(name):]
            else:
                break


def options(lines):
    """What stands at the left as a tag does: text beside it or below, further
    to the right."""
    found, heading = {}, ""
    for i, line in enumerate(lines):
        if line and line[0] != " ":
            heading = line.strip()
        text = line.strip()
        if not text.startswith("-") or NO_OPTIONS.match(heading):
            continue
        above = lines[i - 1]
        if columns(above) == columns(line) and above.strip() and \
                not above.strip().startswith("-"):
            continue  # a sentence that goes on
        tag = re.split(r"(?<![.:])\s{2,}", text, maxsplit=1)
        if ". " in tag[0]:
            continue  # a sentence about it
        below = next((k for k in lines[i + 1:] if k.strip()), "")
        tags_below = below.strip().startswith("-") and \
            columns(below) == columns(line)
        if len(tag) == 2 or columns(below) > columns(line) or tags_below:
            for name, value in spellings(tag[0]):
                found.setdefault(name, value)
    return found


def explain(lines):
    done = subprocess.run([PRINTER], input="".join(k + "\n" for k in lines),
                          capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def is_explained(answer, line, name):
    """Whether the parts that hold the option's bytes all have a meaning."""
    at = line.index(" " + name) + 1
    parts = [p for p in answer["parts"]
             if p["kind"] == "option" and at <= p["from"] < at + len(name)]
    return bool(parts) and all(
        p["known"] and p["meaning"] and p["meaning"] != BARE
        for p in parts)


def command_of(page, lines):
    """git commit, for the page git-commit."""
    words = page.replace("-", " ")
    top = "\n".join(lines[:60])
    return words if page != words and re.search(
        r"^\s+%s\b" % re.escape(words), top, re.M) else page


def check(page):
    """How many options a page shows, and those that are not explained: None
    where there is no page."""
    path = page_file(page)
    if not path:
        return None
    lines = render(path)
    found = options(lines)
    command = command_of(page, lines)
    asked = []
    for name, value in found.items():
        asked.append(("%s %s" % (command, name), name))
        if value.startswith("="):
            asked.append(("%s %s=7" % (command, name), name))
        elif value.startswith(" "):
            asked.append(("%s %s 7" % (command, name), name))
    answers = explain([line for line, _ in asked])
    missed = {name for (line, name), answer in zip(asked, answers)
              if not is_explained(answer, line, name)}
    return len(found), sorted(missed)


def by_hand(names, verbose):
    total = missing = 0
    for page in names:
        result = check(page)
        if result is None:
            print("%-20s no page" % page)
            continue
        n, missed = result
        if n < FEWEST and len(names) > 200:
            continue
        total, missing = total + n, missing + len(missed)
        print("%-20s %5d %5d  %5.1f %%  %s" % (
            page, n, n - len(missed), 100 * (1 - len(missed) / max(n, 1)),
            " ".join(missed) if verbose else ""), flush=True)
    print("%-20s %5d %5d  %5.1f %%" % ("all", total, total - missing,
                                      100 * (1 - missing / max(total, 1))))


def all_pages():
    """Every command of this machine, by its page."""
    names = set()
    for path in glob.glob(TREE + "/man[18]/*.[18].gz"):
        name = os.path.basename(path)[:-5]
        if shutil.which(name) or name.startswith("git-"):
            names.add(name)
    return sorted(names)


def test():
    t = tap.Tap()
    if not shutil.which("mandoc"):
        t.skip_all("mandoc is not here")
    with tempfile.TemporaryDirectory(prefix="agentsh-test-") as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for page in TESTED:
            result = check(page)
            name = "the options of %s are explained" % page
            if result is None or not result[0]:
                t.skip(name, "no page of it is here")
            else:
                t.ok(len(result[1]) <= (1 - SHARE) * result[0], name,
                     "%d of %d are not: %s" % (len(result[1]), result[0],
                                               " ".join(result[1])))
    t.done()


def main():
    args = sys.argv[1:]
    sets = {"common": COMMON, "others": OTHERS}
    if not args:
        test()
    verbose = args[0] == "-v"
    names = args[1:] if verbose else args
    if names == ["all"]:
        by_hand(all_pages(), verbose)
    elif len(names) == 1 and names[0] in sets:
        by_hand(sets[names[0]], verbose)
    else:
        by_hand(names, verbose)


if __name__ == "__main__":
    main()
