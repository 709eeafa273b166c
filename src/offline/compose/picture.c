/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture.c - ImageMagick's convert and mogrify: pictures. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

#define SOURCE                                                                 \
    {                                                                          \
        .said = "{image}", .put = " {1:path}", .other = "-", .only = '@'       \
    }
#define CHANGES                                                                \
    FORM_ONE('z', "crop ?to|by {wxh}; crop to {wxh}",                          \
             " -crop {1}+0+0 +repage"),                                        \
        FORM_ONE('z',                                                          \
                 "resize|scale|shrink|reduce|enlarge|size|to|by {percent}",    \
                 " -resize {1:n}%"),                                           \
        FORM_ONE('z', "{number} percent", " -resize {1:n}%"),                  \
        FORM_ONE('z', "half", " -resize 50%"),                                 \
        FORM_ONE('z', "double|twice", " -resize 200%"),                        \
        FORM_ONE('z', "quarter", " -resize 25%"),                              \
        FORM_ONE('z', "{wxh} exactly|exact; exactly {wxh}",                    \
                 " -resize {1}\\!"),                                           \
        FORM_ONE('z', "{wxh}", " -resize {1}"),                                \
        FORM_ONE('z',                                                          \
                 "width ?of|to {number}; {number} pixel|pixels|px wide; wide " \
                 "{number}",                                                   \
                 " -resize {1:n}"),                                            \
        FORM_ONE('z',                                                          \
                 "height ?of|to {number}; {number} pixel|pixels|px high|tall", \
                 " -resize x{1:n}"),                                           \
        FORM_ONE('z', "{number} pixel|pixels|px", " -resize {1:n}"),           \
        FORM_ONE('r',                                                          \
                 "rotate|turn ?by {number} ?degree|degrees "                   \
                 "left|counterclockwise|anticlockwise",                        \
                 " -rotate -{1:n}"),                                           \
        FORM_ONE('r', "rotate|turn ?by {number}; {number} degree|degrees",     \
                 " -rotate {1:n}"),                                            \
        FORM_ONE('r', "rotate|turn left|counterclockwise", " -rotate -90"),    \
        FORM_ONE('r', "rotate|turn", " -rotate 90"),                           \
        FORM_IF("grayscale|greyscale|gray|grey; black white",                  \
                " -colorspace Gray"),                                          \
        FORM_IF("flip|upside; mirror vertically", " -flip"),                   \
        FORM_IF("flop|mirror; horizontally", " -flop"),                        \
        FORM_IF("trim", " -trim"), FORM_IF("blur", " -blur 0x8"),              \
        FORM_IF("sepia", " -sepia-tone 80%"),                                  \
        FORM_IF("negate|invert|negative", " -negate"),                         \
        FORM_IF("metadata|exif", " -strip"),                                   \
        FORM_IF(                                                               \
            "quality ?of|to|at {number|percent}; {number|percent} quality",    \
            " -quality {1:n}")
#define SAYS                                                                   \
    FORM_SAYS(                                                                 \
        "convert|resize|scale|image|images|picture|file|shrink|enlarge|crop|"  \
        "reduce|size|pixel|pixels|degrees|degree|percent|format|to|into|as|"   \
        "strip|delete|color|clockwise|right|create|all|every|colors|wide|"     \
        "width|height|turn|change|compress|with|in|each")

static const struct form_part one[] = {
    FORM_ALWAYS("convert"),
    SOURCE,
    CHANGES,
    FORM_ONE('o', "to|into|as|named|called {image}; {image}", " {1:path}"),
    FORM_LAST('o', "to|into|as {iformat}; pdf; {iformat} format",
              " {0:stem}.{1:ending}", " {0:stem}-new.{0:ending}"),
    SAYS,
    FORM_END,
};

static const struct form_part format[] = {
    FORM_ALWAYS("convert"),
    SOURCE,
    CHANGES,
    FORM_ONE('o', "to|into|as|in|named|called {image}; {image}", " {1:path}"),
    FORM_ONE('o', "to|into|as {iformat}; {iformat} format",
             " {0:stem}.{1:ending}"),
    FORM_LAST('o', "pdf", " {0:stem}.pdf", "-"),
    SAYS,
    FORM_END,
};

static const struct form_part many_format[] = {
    FORM_ALWAYS("mogrify"),
    FORM_MUST("to|into|as {iformat}", " -format {1:ending}"),
    CHANGES,
    FORM_MUST("{iformat|glob}", " *.{1:ending}"),
    SAYS,
    FORM_END,
};

static const struct form_part many[] = {
    FORM_ALWAYS("mogrify"),
    CHANGES,
    FORM_ELSE("{iformat|glob}", " *.{1:ending}", " *.jpg"),
    SAYS,
    FORM_END,
};

static const struct form forms[] = {
    FORM(
        "many pictures in another format", many_format,
        "all|every|each|images|{glob}; {iformat} file|image to {iformat}",
        "convert|turn|change",
        "{iformat|glob} ?file|files|image|images ?in|here to|into|as {iformat}",
        "!{image}|{video}|{audio}|rename|base64"),
    FORM("change many pictures in place", many, "all|every|each|images|{glob}",
         "resize|scale|shrink|rotate|grayscale|crop|quality|strip|compress",
         "{iformat}|images|pictures|photos",
         "!{image}|{video}|docker|container|disk|zip|tar|sort|find|{file}|gzip|"
         "archive"),
    FORM(
        "a picture in another format", format, "{image}",
        "convert|turn|change|save to|into|as {iformat|image}; {image} to|into "
        "{iformat|image}; pdf",
        "!{video}|{audio}|copy|move|rename|link|{machine}|compare|{url}|base64",
        "!ascii|text|delete|grep|find"),
    FORM("change a picture", one, "{image}",
         "resize|scale|shrink|enlarge|rotate|crop|grayscale|greyscale|flip|"
         "flop|mirror|trim|blur|sepia|invert|negate|quality|strip|metadata|"
         "exif|width|half|turn|gray|smaller|black",
         "!{video}|{audio}|{machine}|list|show|read|permission|owner|print"),
    FORMS_END,
};

int
picture_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_compose(forms, "picture", q, s, e);
}
