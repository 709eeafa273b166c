/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_image.c - images are checked, kept as long as somebody has them, and
 * written as each provider takes them. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "model/image.h"
#include "model/ipc.h"
#include "model/provider/provider_table.h"
#include "model/request_copy.h"

#define PNG "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
#define GIF "R0lGODlhAQABAAAAACw="

static void
only_an_image_of_its_type_is_taken(void **state)
{
    static const struct {
        const char *type, *data, *why; /* NULL: it is taken */
    } rows[] = {
        {"image/png", PNG, NULL},
        {"image/jpeg", "/9j/4AAQSkZJRgABAQAAAQABAAD/", NULL},
        {"image/gif", GIF, NULL},
        {"image/webp", "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGI", NULL},
        {"image/gif", PNG, "is no image/gif"},
        {"image/webp", "UklGRhoAAABXQVZFZm10", "is no image/webp"},
        {"image/png", "iVBORw0KGg==", "is no image/png"},
        {"image/svg+xml", "PHN2Zz4=", "not image/svg+xml"},
        {"", PNG, "an image is image/png"},
        {"image/png", "", "not base64"},
        {"image/png", "iVBORw0KGgoAAAANSUhEUgA", "not base64"},
        {"image/png", "iVBORw0KGgoAAAANSUhE\nUg=", "not base64"},
        {"image/png", "iVBORw0KGgoAAAANS===", "not base64"},
        {"image/png", "iVBORw0KGgo\"AAANSUhE", "not base64"},
        {"image/png", "====", "not base64"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        CLEANUP(model_images_free_p)
        struct model_images *m = model_images_new(NULL);
        struct err e = {0};
        int rc = model_images_add(m, rows[i].type, rows[i].data,
                                  strlen(rows[i].data), &e);

        if (!rows[i].why) {
            assert_int_equal(rc, 0);
            assert_int_equal(m->n, 1);
            continue;
        }
        assert_int_equal(rc, -1);
        assert_int_equal(m->n, 0);
        assert_int_equal(e.code, ERR_INVALID);
        if (!strstr(e.text, rows[i].why))
            print_error("# %s\n", e.text);
        assert_non_null(strstr(e.text, rows[i].why));
    }
}

static void
a_prompt_has_few_images_of_a_bounded_size(void **state)
{
    CLEANUP(model_images_free_p)
    struct model_images *m = model_images_new(NULL);
    CLEANUP_BUF struct buf large = buf_of(MODEL_IMAGES_BYTES_MAX + 1);
    struct err e = {0};

    (void)state;
    buf_str(&large, PNG);
    while (large.len < MODEL_IMAGES_BYTES_MAX)
        buf_str(&large, "AAAA");
    assert_int_equal(model_images_add(m, "image/png", large.p, large.len, NULL),
                     0);
    assert_int_equal(model_images_add(m, "image/gif", GIF, strlen(GIF), &e),
                     -1);
    assert_non_null(strstr(e.text, "at most 5000000 bytes"));
    model_images_free(m);
    m = model_images_new(NULL);
    for (size_t i = 0; i < MODEL_IMAGES_MAX; i++)
        assert_int_equal(
            model_images_add(m, "image/gif", GIF, strlen(GIF), NULL), 0);
    assert_int_equal(model_images_add(m, "image/gif", GIF, strlen(GIF), &e),
                     -1);
    assert_non_null(strstr(e.text, "at most 8 images"));
}

static struct model_images *
two_images(void)
{
    struct model_images *m = model_images_new(NULL);

    assert_int_equal(model_images_add(m, "image/png", PNG, strlen(PNG), NULL),
                     0);
    assert_int_equal(model_images_add(m, "image/gif", GIF, strlen(GIF), NULL),
                     0);
    return m;
}

/* The copy of a request keeps them when who made it has let go. */
static void
the_last_owner_frees(void **state)
{
    struct model_images *m = two_images();
    struct model_turn turn = {.role = MODEL_USER, .text = "u", .images = m};
    struct model_request r = {.turns = &turn, .n_turns = 1};
    CLEANUP(request_copy_free_p) struct request_copy *c = NULL;

    (void)state;
    assert_null(model_images_share(NULL));
    model_images_free(NULL);
    c = request_copy_new(&r, NULL);
    model_images_free(m);
    m = request_copy_of(c)->turns[0].images;
    assert_int_equal(m->n, 2);
    assert_string_equal(m->v[0].data, PNG);
}

/* Each with the turns of a conversation: what was asked with two images, an
 * answer, and what was asked then. */
static const struct {
    const char *provider, *url, *want;
    unsigned quirks;
} wires[] = {
    {"openai", "https://api.openai.com/v1",
     "{\"role\":\"user\",\"content\":[{\"type\":\"input_image\",\"image_url\":"
     "\"data:image/png;base64," PNG "\"},{\"type\":\"input_image\","
     "\"image_url\":\"data:image/gif;base64," GIF "\"},{\"type\":"
     "\"input_text\",\"text\":\"what\"}]},{\"role\":\"assistant\"",
     0},
    {"openai", "http://h/v1",
     "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":"
     "{\"url\":\"data:image/png;base64," PNG "\"}},{\"type\":\"image_url\","
     "\"image_url\":{\"url\":\"data:image/gif;base64," GIF "\"}},{\"type\":"
     "\"text\",\"text\":\"what\"}]},{\"role\":\"assistant\"",
     0},
    {"anthropic", "https://api.anthropic.com",
     "{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":"
     "\"base64\",\"media_type\":\"image/png\",\"data\":\"" PNG "\"}},{\"type\":"
     "\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/gif\","
     "\"data\":\"" GIF "\"}},{\"type\":\"text\",\"text\":\"what\"}]},"
     "{\"role\":\"assistant\"",
     0},
    {"gemini", "https://h",
     "{\"role\":\"user\",\"parts\":[{\"inlineData\":{\"mimeType\":\"image/"
     "png\","
     "\"data\":\"" PNG "\"}},{\"inlineData\":{\"mimeType\":\"image/gif\","
     "\"data\":\"" GIF "\"}},{\"text\":\"what\"}]},{\"role\":\"model\"",
     0},
    {"ollama", "http://h",
     "{\"role\":\"user\",\"content\":\"what\",\"images\":[\"" PNG "\",\"" GIF
     "\"]},{\"role\":\"assistant\"",
     0},
    /* the rules stand before the words, and tools are words */
    {"openai", "http://h/v1", "{\"type\":\"text\",\"text\":\"rules\\nwhat\"}]",
     QUIRK_NO_SYSTEM},
    {"openai", "http://h/v1", "data:image/gif;base64," GIF, QUIRK_NO_TOOLS},
    {"anthropic", "http://h", "\"media_type\":\"image/gif\"", QUIRK_NO_TOOLS},
};

/* Before and after the way to the model process. */
static void
each_provider_has_its_form(void **state)
{
    static const char schema_text[] = "{\"type\":\"object\",\"properties\":{}}";
    CLEANUP(model_images_free_p) struct model_images *m = two_images();
    CLEANUP(json_free_p)
    struct json *schema = json_parse(schema_text, strlen(schema_text), 0, NULL);
    const struct provider_tool tool = {"t", "d", schema};
    const struct model_turn turns[] = {
        {.role = MODEL_USER, .text = "what", .images = m},
        {.role = MODEL_ASSISTANT, .text = "two dots"},
        {.role = MODEL_USER, .text = "and now"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
        CLEANUP(ipc_parsed_query_free_p) struct ipc_parsed_query *q = NULL;
        CLEANUP_BUF struct buf line = buf_of(1u << 16);
        CLEANUP_BUF struct buf b = buf_of(1u << 16);
        CLEANUP_BUF struct buf other = buf_of(1u << 16);
        struct ipc_query query = {
            .id = 1,
            .request = {.provider = provider_find(wires[i].provider),
                        .url = wires[i].url,
                        .model = "m",
                        .quirks = wires[i].quirks,
                        .system = "rules",
                        .turns = turns,
                        .n_turns = 3,
                        .tools = &tool,
                        .n_tools = 1}};

        assert_int_equal(provider_request_body(&query.request, &b, NULL), 0);
        if (!strstr(b.p, wires[i].want))
            print_error("# %s\n", b.p);
        assert_non_null(strstr(b.p, wires[i].want));
        assert_int_equal(ipc_query_write(&query, &line, NULL), 0);
        q = ipc_parsed_query_new(
            json_parse(line.p, line.len, JSON_UNIQUE, NULL), NULL);
        assert_non_null(q);
        assert_int_equal(provider_request_body(&q->query.request, &other, NULL),
                         0);
        assert_string_equal(b.p, other.p);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_an_image_of_its_type_is_taken),
        cmocka_unit_test(a_prompt_has_few_images_of_a_bounded_size),
        cmocka_unit_test(the_last_owner_frees),
        cmocka_unit_test(each_provider_has_its_form),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
