/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_recipe.c - files of recipes, and the slots of their texts. */
#include "unit.h"

#include "offline/index/recipe_example.h"
#include "recipe_text.h"
#include "tree.h"

static void
a_stanza_becomes_a_recipe(void **state)
{
    struct err e = {0};
    struct recipe_book *b = recipe_book_of(RECIPE_TEXT, &e);
    const struct recipe *r;

    (void)state;
    assert_non_null(b);
    assert_int_equal(recipe_book_count(b), 7);
    r = recipe_book_at(b, 1);
    assert_string_equal(r->id, "copy");
    assert_string_equal(r->title, "a copy of a file");
    assert_int_equal(r->n_phrases, 3);
    assert_string_equal(r->phrases[1], "duplicate the file {path}");
    assert_int_equal(r->n_steps, 1);
    assert_string_equal(r->steps[0].command, "cp {path} {path2}");
    assert_null(r->steps[0].description);
    assert_null(r->generator);
    assert_string_equal(r->needs, "cp");
    assert_int_equal(r->risk, RECIPE_WRITES);
    assert_int_equal(r->line, 7);
    assert_null(recipe_book_at(b, 7));
    recipe_book_free(b);
}

static void
steps_make_a_job_and_a_generator_needs_no_command(void **state)
{
    struct err e = {0};
    struct recipe_book *b = recipe_book_of(RECIPE_TEXT, &e);
    const struct recipe *job, *generated;

    (void)state;
    assert_non_null(b);
    generated = recipe_book_at(b, 5);
    job = recipe_book_at(b, 6);
    assert_string_equal(job->id, "new-repository");
    assert_true(job->job);
    assert_int_equal(job->n_steps, 2);
    assert_string_equal(job->steps[1].description, "Look at what is there");
    assert_string_equal(job->steps[1].command, "git -C {path:.} status");
    assert_string_equal(generated->id, "find-files");
    assert_string_equal(generated->generator, "find");
    recipe_book_free(b);
}

static void
a_file_with_a_mistake_leaves_the_book_as_it_was(void **state)
{
    CLEANUP(recipe_book_free_p) struct recipe_book *b = NULL;
    struct tree t;
    struct err e = {0};
    char good[PATH_MAX], bad[PATH_MAX];

    (void)state;
    assert_int_equal(tree_make(&t), 0);
    tree_text(&t, "good", "# ours\n\na: t\n    ? x\n    $ ls");
    tree_text(&t, "bad", "b: t\n    ? x\n    $ ls\nb: t\n");
    tree_path(&t, "good", good);
    tree_path(&t, "bad", bad);
    b = recipe_book_new(&e);
    assert_int_equal(recipe_book_add(b, good, &e), 0);
    assert_int_equal(recipe_book_add(b, bad, &e), -1);
    assert_int_equal(e.code, ERR_USAGE);
    assert_non_null(strstr(e.text, "bad:4: duplicate recipe b"));
    assert_int_equal(recipe_book_count(b), 1);
    assert_string_equal(recipe_book_at(b, 0)->file, good);
    assert_int_equal(recipe_book_add(b, good, &e), -1);
    assert_int_equal(recipe_book_count(b), 1);
    tree_drop(&t);
    assert_int_equal(recipe_book_add(b, good, &e), -1);
}

static int
show_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    if (s->known) {
        buf_printf(arg, "known %d%s@%zu-%zu ", (int)s->known,
                   s->bare ? "!" : "", from, to);
        return 0;
    }
    buf_printf(arg, "%s%u%c%s%s@%zu-%zu ", slot_name(s->type), s->nth,
               s->unit ? s->unit : ' ', s->bare ? "!" : "",
               s->otherwise ? s->otherwise : "?", from, to);
    return 0;
}

static const struct {
    const char *text, *shown; /* NULL: it is wrong */
} slots[] = {
    {"ls {path}", "path1 ?@3-9 "},
    {"cp {path} {path2:x y}", "path1 ?@3-9 path2 x y@10-21 "},
    {"find -mtime +{age.d}", "age1d?@13-20 "},
    {"find -size +{size.M:10}", "size1M10@12-23 "},
    {"grep '{text!}' {path:}", "text1 !?@6-13 path1 @15-22 "},
    {"awk '{{ print ${number} }}'", "number1 ?@15-23 "},
    {"echo ${{{name}}}", "name1 ?@8-14 "},
    {"find -exec ls {{}} +", ""},
    {"{path8}", "path8 ?@0-7 "},
    {"{path9}", NULL},
    {"{path0}", NULL},
    {"{path12}", NULL},
    {"{}", NULL},
    {"{", NULL},
    {"}", NULL},
    {"{path", NULL},
    {"{Path}", NULL},
    {"{paths}", NULL},
    {"{pat}", NULL},
    {"{path.d} {path.n!}", "path1d?@0-8 path1n!?@9-18 "},
    {"{path.x}", NULL},
    {"x-{@today}.{@day} {@home} '{@user!}'",
     "known 1@2-10 known 2@11-17 known 3@18-25 known 4!@27-35 "},
    {"{@now}", NULL},
    {"{@}", NULL},
    {"{@today:x}", NULL},
    {"{age.}", NULL},
    {"{age.x}", NULL},
    {"{text!!}", NULL},
    {"{text x}", NULL},
};

static void
slots_say_what_they_want(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(slots); i++) {
        CLEANUP_BUF struct buf shown = buf_of(1024);
        struct err e = {0};
        int rc = recipe_slots(slots[i].text, show_slot, &shown, &e);

        if ((rc < 0) != !slots[i].shown ||
            (rc == 0 && strcmp(shown.p, slots[i].shown) != 0))
            fail_msg("%s: %d %s%s", slots[i].text, rc, shown.p, e.text);
    }
}

static void
what_stands_there_otherwise_has_a_bound(void **state)
{
    char text[200] = "{path:";
    struct err e = {0};

    (void)state;
    memset(text + 6, 'x', 127);
    text[133] = '}';
    assert_int_equal(recipe_slots(text, NULL, NULL, &e), 0);
    text[133] = 'x';
    text[134] = '}';
    assert_int_equal(recipe_slots(text, NULL, NULL, &e), -1);
}

static void
examples_fill_slots_and_braces_come_out_once(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(1024);
    struct recipe_fills fills;
    struct err e = {0};

    (void)state;
    assert_int_equal(
        recipe_example("awk '/{text!}/ {{ print }}' {path}", &out, &fills, &e),
        0);
    assert_string_equal(out.p, "awk '/some words/ { print }' notes.txt");
    assert_int_equal(fills.n, 2);
    assert_int_equal(fills.v[1].from, 29);
    assert_int_equal(fills.v[1].to, 38);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stanza_becomes_a_recipe),
        cmocka_unit_test(steps_make_a_job_and_a_generator_needs_no_command),
        cmocka_unit_test(a_file_with_a_mistake_leaves_the_book_as_it_was),
        cmocka_unit_test(slots_say_what_they_want),
        cmocka_unit_test(what_stands_there_otherwise_has_a_bound),
        cmocka_unit_test(examples_fill_slots_and_braces_come_out_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
