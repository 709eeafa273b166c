/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_state.h - what the files of risk share while a line is read.
 *
 * A frame is a text being read: the line itself, or a text for a shell inside
 * it, or a function's body. Its nodes are walked in reading order; each call
 * becomes arguments (risk_arg), the stanza of its program says what they mean,
 * and what they run is read as another frame. */
#ifndef GUARD_RISK_STATE_H
#define GUARD_RISK_STATE_H

#include "guard/risk/programs.h"
#include "guard/risk/risk.h"

#define RISK_ARGS_MAX   4096
#define RISK_TEXT_MAX   (64 * 1024)       /* of one expanded word */
#define RISK_MEMORY_MAX (8 * 1024 * 1024) /* of one line; more: opaque */
#define RISK_PARSED_MAX (512 * 1024)      /* of texts that are read in turn */
#define RISK_STEPS_MAX  20000             /* nodes, calls: more is opaque */

/* A word as the program gets it. */
struct risk_arg {
    const char *text; /* quotes removed; an expansion stands as written */
    const char *glob; /* the same with * for what is not known */
    const struct syntax_word *word;   /* NULL: of a text inside the line */
    const struct syntax_word *source; /* of the frame that expanded it */
    unsigned flags;                   /* SYNTAX_ of the word */
    bool known;                       /* text is what the program gets … */
    bool tilde;   /* … but for the ~ that it begins with */
    bool pattern; /* … and for a pattern in it */
    bool inside;  /* a pattern for a name that is known only when it runs */
    bool number;  /* not known, but surely digits */
    bool process; /* <(…) or >(…) */
    bool fresh;   /* the output of mktemp */
    size_t from, to;
};

struct risk_args {
    struct risk_arg *v;
    size_t n, cap;
};

/* Where standard input comes from. */
struct risk_input {
    enum { RISK_INPUT_NONE, RISK_INPUT_TEXT, RISK_INPUT_UNKNOWN } kind;
    const char *text;
    size_t from, to;
};

struct risk_frame {
    const struct risk_frame *outer;
    const struct syntax *syntax;
    const struct syntax_node *body; /* of a function; NULL: all of it */
    const char *function;           /* its name */
    bool mapped;                    /* every place is from..to of the line */
    size_t from, to;
    const struct risk_args *positional; /* $1 …; NULL: not known */
    unsigned depth;
    bool elsewhere;       /* on another machine, in a container */
    bool external;        /* started by a program: no function, no alias */
    bool bashless;        /* read by another shell than bash */
    bool evals;           /* read by this shell itself: a cd in it lasts */
    unsigned shell;       /* the process that reads it: 0 is the line's own */
    unsigned facts;       /* of the wrappers around it */
    const char *wrapper;  /* the outermost one's name, or "" */
    const char *variable; /* of its environment, that may matter; NULL: none */
    struct risk_input input;
};

/* What one variable may hold: each value is words. */
#define RISK_VALUES_MAX 8
struct risk_variable {
    const char *name;
    struct risk_args *values[RISK_VALUES_MAX];
    size_t n;     /* 0, and it is known: it is not set, as far as is seen */
    bool unknown; /* or anything */
    struct risk_value *ever;
    size_t n_ever;
    unsigned shell;     /* in which it was set last */
    unsigned evaluated; /* RISK_AS_: what its values are read as, somewhere */
    bool is_map;        /* declare -A */
    bool is_list;       /* somewhere it is an array */
    bool loses_map;     /* somewhere it becomes another */
    bool changes_case;  /* declare -l -u -c */
    bool is_fixed;      /* readonly: what is assigned may not count */
    bool used_later;    /* a known value, by what runs later … */
    size_t used_in;     /* … or in this loop */
    struct risk_variable *next;
};

/* A value that a variable has at some time. */
struct risk_value {
    const struct risk_args *words; /* NULL: anything */
    size_t loop;                   /* as risk_state.loop */
    bool later;
    struct risk_value *next;
};

/* A variable as it was before `local x`, before x=1 of one command, or before
 * what may be left out. */
struct risk_saved {
    struct risk_variable *variable, before;
    bool surely; /* it is that again; else it may be */
    const struct risk_frame *frame;
    size_t until; /* the place in the frame from which on it is */
    struct risk_saved *below;
};

/* A text that bash runs at some later time: of trap, a prompt. */
struct risk_deferred {
    struct risk_frame frame;
    const char *text;
    size_t n_names; /* functions and aliases that it was read with */
    struct risk_deferred *next;
};

struct risk_name { /* a function, an alias, a program that was found */
    const char *name;
    const struct syntax *syntax;
    const struct syntax_node *body;
    const char *text;
    const char *dir; /* of a program: where the line was; NULL: not known */
    bool certain;    /* of a function: it surely is defined */
    bool exported;   /* of a function: to other shells */
    unsigned shell;  /* that it is defined in */
    struct risk_name *next;
};

/* `cd` moves the directory up to the end of the subshell it stands in. */
struct risk_directory {
    const char *dir; /* NULL: not known */
    const struct risk_frame *frame;
    size_t until;
    struct risk_directory *below;
};

struct risk_state {
    struct risk *out;
    size_t cap_reasons, cap_paths, cap_hosts, cap_calls;
    const struct risk_place *where;
    struct risk_memory *memory;
    struct risk_directory *directory;
    struct risk_variable *variables;
    struct risk_name *functions, *aliases, *found;
    struct risk_name *fetched; /* the last parts of URLs */
    unsigned facts;            /* of the call that is being read */
    const struct syntax *line;
    const struct risk_frame *frame; /* that is being read, and in it … */
    size_t from, to;                /* … the place of the node */
    struct risk_saved *locals, *settings, *branches;
    struct risk_deferred *deferred;
    size_t loop; /* the outermost that is being read: its place + 1 */
    bool later;  /* what is being read runs at any later time */
    bool again;  /* a value was used before all values were found */
    bool fails;  /* what stands on this line may end it: 1/0, ${!x} */
    bool closes; /* a descriptor may be closed: > &2 may fail … */
    bool closes_often;
    bool reads; /* exec < file: what reads standard input gets that … */
    bool reads_often;
    bool fixes; /* readonly -f: a function may not be defined again */
    bool fixes_often;
    bool anything; /* any variable may be anything */
    bool has_aliases, expands_aliases;
    bool last_pipe; /* shopt -s lastpipe */
    unsigned n_shells, in_function;
    size_t entries; /* of directories that were looked at */
    size_t steps, wraps, n_variables, n_names, n_found, n_fetched;
    bool split_changed;              /* IFS= was assigned */
    bool shifted;                    /* $1 is another now: shift, set -- */
    bool splits_often, shifts_often; /* so in what repeats, or runs later */
    bool keeps_whole;                /* no value is split: of declare x=$y */
    bool no_clobber;                 /* set -C */
    bool full;                       /* a bound was met */
    bool finishing;                  /* what is said now is said in any case */
    bool exports;                    /* set -a */
    const char *variable; /* that was exported, and may matter; NULL: none */
    bool no_memory;
};

#endif
