/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_state.h - the state of this folder's files while one line is read.
 *
 * A frame is a text that is read: the line itself, a text for a shell inside
 * it, or the body of a function. Its nodes are walked in reading order; each
 * call is expanded into arguments (risk_arg), its program's stanza says what
 * they mean, and what they run is read as another frame. */
#ifndef GUARD_RISK_RISK_STATE_H
#define GUARD_RISK_RISK_STATE_H

#include "guard/risk/risk.h"
#include "guard/risk/risk_programs.h"

#define RISK_ARGS_MAX   4096
#define RISK_TEXT_MAX   (64 * 1024)       /* of one expanded word */
#define RISK_MEMORY_MAX (8 * 1024 * 1024) /* of one line; more is opaque */
#define RISK_PARSED_MAX (512 * 1024)      /* bytes of nested texts */
#define RISK_STEPS_MAX  20000             /* nodes, calls; more is opaque */

/* A word as the program gets it. */
struct risk_arg {
    const char *text; /* quotes removed; an expansion as written */
    const char *glob; /* the same with * for what is not known */
    const struct syntax_word *word;   /* NULL: of a text inside the line */
    const struct syntax_word *source; /* of the frame that expanded it */
    unsigned flags;                   /* SYNTAX_ flags of the word */
    bool known;   /* text is what the program gets, but … */
    bool tilde;   /* … for a ~ that it begins with */
    bool pattern; /* … and for a pattern in it */
    bool inside;  /* a pattern for a name that is known only at run time */
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
    const struct syntax_node *body; /* of a function; NULL: the whole text */
    const char *function;           /* its name */
    bool mapped;                    /* every offset is from..to of the line */
    size_t from, to;
    const struct risk_args *positional; /* $1 …; NULL: not known */
    unsigned depth;
    bool elsewhere;       /* runs on another machine or in a container */
    bool external;        /* started by a program: no function, no alias */
    bool bashless;        /* read by another shell than bash */
    bool evals;           /* read by this shell itself: a cd in it lasts */
    unsigned shell;       /* the process that reads it; 0: the line's own */
    unsigned facts;       /* of the wrappers around it */
    const char *wrapper;  /* the outermost one's name, or "" */
    const char *variable; /* of its environment, that may matter; NULL: none */
    struct risk_input input;
};

/* What one variable may hold: each value is a list of words. */
#define RISK_VALUES_MAX 8
struct risk_variable {
    const char *name;
    struct risk_args *values[RISK_VALUES_MAX];
    size_t n;     /* 0 without `unknown`: not set, as far as was read */
    bool unknown; /* it may hold anything else, too */
    struct risk_value *ever;
    size_t n_ever;
    unsigned shell;     /* in which it was set last */
    unsigned evaluated; /* RISK_AS_: what its values are read as, somewhere */
    bool is_map;        /* declare -A */
    bool is_list;       /* somewhere it is an array */
    bool loses_map;     /* somewhere it stops being a map */
    bool changes_case;  /* declare -l -u -c */
    bool is_fixed;      /* readonly: an assignment may fail */
    bool used_later;    /* its value was used by what runs later … */
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

/* A variable before `local x`, before the x=1 of one command, or before
 * something that may be skipped. */
struct risk_saved {
    struct risk_variable *variable, before;
    bool surely; /* it becomes `before` again; else it may */
    const struct risk_frame *frame;
    size_t until; /* the offset in the frame from which on it does */
    struct risk_saved *below;
};

/* A text that bash runs later: of trap, a prompt. */
struct risk_deferred {
    struct risk_frame frame;
    const char *text;
    size_t n_names; /* functions and aliases when it was read */
    struct risk_deferred *next;
};

struct risk_name { /* a function, an alias, a program that was found */
    const char *name;
    const struct syntax *syntax;
    const struct syntax_node *body;
    const char *text;
    const char *dir; /* of a program: the working directory; NULL: not known */
    bool certain;    /* of a function: it surely is defined */
    bool exported;   /* of a function: to other shells */
    unsigned shell;  /* in which it is defined */
    struct risk_name *next;
};

/* `cd` changes the directory up to the end of the subshell around it. */
struct risk_directory {
    const char *dir; /* NULL: not known */
    const struct risk_frame *frame;
    size_t until;
    struct risk_directory *below;
};

/* The ..._often members hold what is true of text that runs repeatedly or
 * later: it is true from the text's beginning, in the next round. */
struct risk_state {
    struct risk *out;
    size_t cap_reasons, cap_paths, cap_hosts, cap_calls;
    const struct path_context *where;
    struct risk_memory *memory;
    struct risk_directory *directory;
    struct risk_variable *variables;
    struct risk_name *functions, *aliases, *found;
    struct risk_name *fetched; /* last components of URLs */
    unsigned facts;            /* of the call that is being read */
    const struct syntax *line;
    const struct risk_frame *frame; /* that is being read */
    size_t from, to;                /* offsets of the node in the line */
    struct risk_saved *locals, *settings, *branches;
    struct risk_deferred *deferred;
    size_t loop; /* the outermost loop around: its offset + 1; 0: none */
    bool later;  /* what is being read runs at any later time */
    bool again;  /* a value was used before all were found: one more round */
    bool fails;  /* what precedes on this line may end it: 1/0, ${!x} */
    bool closes; /* a descriptor may be closed: > &2 may fail */
    bool closes_often;
    bool reads; /* exec < file: standard input is that file */
    bool reads_often;
    bool fixes; /* readonly -f: a function may not be defined again */
    bool fixes_often;
    bool anything; /* any variable may hold anything */
    bool has_aliases, expands_aliases;
    bool last_pipe; /* shopt -s lastpipe */
    unsigned n_shells, in_function;
    size_t entries; /* directory entries that were read */
    size_t steps, wraps, n_variables, n_names, n_found, n_fetched;
    bool split_changed;              /* IFS= was assigned */
    bool shifted;                    /* shift, set --: $1 is not known */
    bool splits_often, shifts_often; /* of the two before */
    bool keeps_whole;                /* no value is split: declare x=$y */
    bool no_clobber;                 /* set -C */
    bool full;                       /* a bound was met */
    bool finishing;                  /* reports ignore the memory bound */
    bool exports;                    /* set -a */
    const char *variable;            /* exported, and may matter; NULL: none */
    bool no_memory;
};

#endif
