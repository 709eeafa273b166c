# SPDX-License-Identifier: GPL-3.0-or-later
# fake_starship.bash - behaves as starship's prompt does towards other hooks.
#
# A stand-in, since no package has the real one. What matters here is how that
# is known to work: beside bash-preexec it uses its lists, else it notes the
# start of a line in PS0, is the last command of PROMPT_COMMAND as a scalar,
# and makes PS1 of $? and PIPESTATUS.
starship_preexec() {
    STARSHIP_START=${EPOCHREALTIME/[^0-9]/}
}

starship_precmd() {
    STARSHIP_STATUS=$? STARSHIP_PIPE=${PIPESTATUS[*]}
    if [[ -n ${BP_PIPESTATUS-} ]]; then
        STARSHIP_PIPE=${BP_PIPESTATUS[*]}
    fi
    echo "$STARSHIP_STATUS [$STARSHIP_PIPE] ${STARSHIP_START:+ran}" >>"$SEEN"
    STARSHIP_START=''
    PS1='@~''>'
}

if [[ -n ${bash_preexec_imported-}${preexec_functions-}${precmd_functions-} ]]
then
    preexec_functions+=(starship_preexec)
    precmd_functions+=(starship_precmd)
else
    PS0='${STARSHIP_START:$((STARSHIP_START=1,0)):0}'"${PS0-}"
    if [[ -z ${PROMPT_COMMAND-} ]]; then
        PROMPT_COMMAND=starship_precmd
    elif [[ $PROMPT_COMMAND != *starship_precmd* ]]; then
        PROMPT_COMMAND="${PROMPT_COMMAND%;};starship_precmd;"
    fi
fi
