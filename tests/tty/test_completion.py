# SPDX-License-Identifier: GPL-3.0-or-later
"""test_completion.py - what the Tab key offers in bash, zsh and fish."""

import os

import hookshell
from hookshell import AGENTSH, Shell, home, tap

# What has been typed, and the words that are offered.
FILES = {"plan.json", "files/"}
RUNS = {"0102-030405", "0102-030406"}
CASES = (
    ("ai ", {"do", "run", "explain", "fix", "undo", "log", "help"}),
    ("ai f", {"fix"}),
    ("ai fix --s", {"--step", "--show-request", "--status", "--stderr-file"}),
    ("ai run --stat", set()),
    ("ai r", {"run"}),
    ("ai zz", set()),
    ("ai run --dry", {"--dry-run"}),
    ("ai run --plan", {"--plan", "--plan-out"}),
    ("ai run --lines", set()),
    ("ai --dry", {"--dry-run"}),
    ("ai -m x run --dry", {"--dry-run"}),
    ("ai run -o ", {"text", "json", "jsonl"}),
    ("ai run --provider o", {"openai", "ollama", "offline"}),
    ("ai run --output j", {"json", "jsonl"}),
    ("ai run --plan ", FILES),
    ("ai run list pla", {"plan.json"}),
    ("ai -o json ex", {"explain"}),
    ("agentsh in", {"init"}),
    ("agentsh init ", {"bash", "zsh", "fish"}),
    ("agentsh completion f", {"fish"}),
    ("agentsh action ", {"check"}),
    ("agentsh action check --mo", {"--mode"}),
    ("agentsh action check --mode ", {"do", "run", "explain"}),
    ("agentsh action check pl", {"plan.json"}),
    ("agentsh doctor --yes", set()),
    ("agentsh ex", {"exec", "explain"}),
    ("agentsh exec --profile re", {"read-only", "reduced"}),
    ("agentsh exec --workspace fi", {"files/"}),
    ("agentsh exec --net uniq-fo", {"uniq-for-completion"}),
    ("agentsh exec uniq-for-completion pl", {"plan.json"}),
    ("agentsh policy ", {"test", "show", "check", "add"}),
    ("agentsh policy check pl", {"plan.json"}),
    ("agentsh policy test uniq-fo", {"uniq-for-completion"}),
    ("agentsh plugin ", {"check", "new"}),
    ("agentsh plugin check fi", {"files/"}),
    ("agentsh tool ", {"list", "call", "trust"}),
    ("agentsh tool call ", {"cmd.run", "mine"}),
    ("agentsh tool call cmd.run ", set()),
    ("agentsh tool trust m", {"mine"}),
    ("agentsh preview ", {"list", "show", "keep", "drop"}),
    ("agentsh preview keep ", RUNS),
    ("agentsh preview list ", set()),
    ("agentctl --tok", {"--token-file"}),
    ("agentctl --lis", {"--listen"}),
)

# What is typed on a terminal, and the arguments that it becomes.
KEYS = (
    ("agentsh completion f\t", "completion fish"),
    ("agentsh comp\tz\t", "completion zsh"),
    ("agentsh action ch\t--mo\texp\t", "action check --mode explain"),
    ("agentsh run --dr\t--plan pl\t", "run --dry-run --plan plan.json"),
    ("agentsh do -o jsonl -m x --sh\t", "do -o jsonl -m x --show-request"),
    ("agentsh exec --prof\tobserve-\t -- uniq-fo\tpl\t",
     "exec --profile observe-proc -- uniq-for-completion plan.json"),
    ("agentsh tool tr\tmi\t", "tool trust mine"),
    ("agentsh doctor --output=jsonl\t --no-c\t",
     "doctor --output=jsonl --no-color"),
)

BASH = r"""
eval "$(%s completion bash)"
complete -p ai agentsh >/dev/null || exit
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"$line"
    [[ $line == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    __agentsh_complete
    for word in "${COMPREPLY[@]}"; do
        [[ -d $word ]] && word+=/
        printf '%%s ' "$word"
    done
    echo
done
"""
FISH = """
%s completion fish | source
while read -l line
    echo (complete -C $line | string replace -r '\\t.*' '')
end
"""


def ask(place, argv, script):
    """One line of candidates for each case."""
    out = place.run([*argv, script % AGENTSH],
                    stdin="".join(line + "\n" for line, _ in CASES))
    return [set(line.split()) for line in out.out.split("\n")[:-1]], out.err


def asked(t, place, kind, argv, script):
    answers, errors = ask(place, argv, script)
    t.is_(len(answers), len(CASES), kind + " answers", errors)
    for (line, wanted), got in zip(CASES, answers):
        if kind == "fish" and got > wanted:
            # fish 4 also offers what has the letters in this order
            got = {word for word in got if word.startswith(
                line.split(" ")[-1])} or got
        t.is_(got, wanted, "%s: %r" % (kind, line), errors)


def told(t, place):
    """What fish shows beside a verb is its help, to the end."""
    ai = os.path.join(os.path.dirname(AGENTSH), "ai")
    helps = place.run([ai, "--help"]).out
    out = place.run(["fish", "--no-config", "-c",
                     "%s completion fish | source; complete -C 'ai '"
                     % AGENTSH]).out
    for line in out.splitlines():
        verb, _, text = line.partition("\t")
        t.ok("%s %s\n" % (verb.ljust(25), text) in helps,
             "fish tells what %s does" % verb, repr(text))
    out = place.run(["fish", "--no-config", "-c",
                     "%s completion fish | source; complete -C 'agentsh poli'"
                     % AGENTSH]).out
    t.is_(out.split(), ["policy"],
          "a word that begins several commands has the help of none")


def tab(t, place, kind):
    """The key itself, on a terminal: agentsh is a function that says what it
    was given."""
    before = {"zsh": "autoload -Uz compinit; compinit -D -u\n"}.get(kind, "")
    load = {"fish": "%s completion fish | source\n"}.get(
        kind, 'eval "$(%%s completion %s)"\n' % kind) % AGENTSH
    say = {"fish": "function agentsh; echo \"=$argv=\"; end"}.get(
        kind, 'agentsh() { echo "=$*="; }')
    with Shell(place, kind, before=before, after=load + say) as sh:
        for typed, wanted in KEYS:
            shown = hookshell.plain(sh.run(typed))
            t.ok("=%s=" % wanted in shown, "%s: %r becomes %r" % (
                kind, typed, wanted), repr(shown))


# What is found on PATH: agentsh is asked which previews wait.
PROGRAMS = {
    "agentsh": "case $* in 'preview list') printf '%s\\n' "
               "'0102-030405  /p  make x' '0102-030406  /p q  ls' ;; "
               "'tool list') printf '%s\\n' 'cmd.run  built in' "
               "'mine  yours' '    not trusted' '/p  faulty' ;; esac",
    "uniq-for-completion": ":",
}


def install(place):
    folder = place.folder("bin")
    for name, text in PROGRAMS.items():
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\n" + text + "\n")
        os.chmod(path, 0o755)
    place.env["PATH"] = folder + ":" + place.env["PATH"]


def main():
    t = tap.Tap()
    with home.Home() as place:
        install(place)
        os.mkdir(place.path("files"))
        open(place.path("plan.json"), "w", encoding="utf-8").close()
        asked(t, place, "bash", ["bash", "-c"], BASH)
        asked(t, place, "fish", ["fish", "--no-config", "-c"], FISH)
        told(t, place)
        for kind in "bash", "zsh", "fish":
            tab(t, place, kind)
    t.done()


if __name__ == "__main__":
    main()
