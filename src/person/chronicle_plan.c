/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chronicle_plan.c - a judged plan, for the journal. */
#include <string.h>

#include "person/chronicle.h"
#include "json/write.h"

static void
put_step(struct json_writer *w, const struct step *s, const struct judgement *j)
{
    json_open_object(w);
    aiaction_put_step(w, s);
    json_member_str(w, "decision", guard_decision_name(j->decision));
    json_member_str(w, "reason", j->reason);
    json_member_str(w, "rule", judge_rule(j));
    json_member_bool(w, "destructive", j->destructive);
    json_member_bool(w, "privileged", j->privileged);
    json_member_str(w, "profile", judge_profile(j));
    json_member_bool(w, "network", judge_network(j));
    json_close_object(w);
}

/* The steps with what was found about each. */
static struct json *
tree_of(const struct aiaction *action, const struct plan *p)
{
    CLEANUP_BUF struct buf text = buf_of(AIACTION_JSON_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_array(&w);
    for (size_t i = 0; i < action->n; i++)
        put_step(&w, &action->steps[i], plan_judgement(p, i));
    json_close_array(&w);
    return text.bad ? NULL : json_parse(text.p, text.len, 0, NULL);
}

void
chronicle_plan(struct app *a, const struct aiaction *action,
               const struct plan *p, const struct inquiry_facts *f)
{
    CLEANUP(json_free_p) struct json *steps = NULL;
    char digest[SHA256_HEX_SIZE] = "";

    if (!chronicle_open(a))
        return;
    if (a->chronicle->ran) /* another one, after the first one's results */
        a->chronicle->decided = false;
    steps = tree_of(action, p);
    (void)plan_digest(p, digest, NULL);
    app_record(a, "plan",
               (const struct journal_member[]){
                   JOURNAL_STR("kind", aiaction_kind_name(action->kind)),
                   JOURNAL_STR("summary", action->summary),
                   JOURNAL_TREE("steps", steps),
                   JOURNAL_STR("sha256", digest),
                   JOURNAL_STR("model", f ? f->model : NULL),
                   chronicle_number("tokens_in", f ? f->tokens_in : -1),
                   chronicle_number("tokens_out", f ? f->tokens_out : -1),
                   chronicle_number("model_ms", f ? f->ms : -1),
                   {0},
               });
}
