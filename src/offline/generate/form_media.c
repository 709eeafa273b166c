/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form_media.c - forms for ffmpeg and ImageMagick: video, sound, images. */
#include "offline/generate/form.h"
#include "offline/generate/generate.h"

#define MEDIA "{video|audio}"
#define MEDIA_SOURCE                                                           \
    {                                                                          \
        .words = "from|of|in " MEDIA "; " MEDIA, .put = " -i {1:path}",        \
        .other = "-", .only = '@'                                              \
    }
#define TARGET                                                                 \
    FORM_ONE('o', "to|into|as|in|called|named {video|audio}; {video|audio}",   \
             " {1:path}")
#define AS_BEFORE(MARK)                                                        \
    FORM_LAST('o', "to|into|as {vformat|aformat}; {vformat|aformat} format",   \
              " {0:stem}" MARK ".{1:ending}", " {0:stem}" MARK ".{0:ending}")
#define FROM                                                                   \
    FORM_IF("from|at|starting|beginning|after|start ?minute|second|time "      \
            "{clock|age}",                                                     \
            " -ss {1:s}")
#define UNTIL                                                                  \
    FORM_ONE('t', "to|until|till|and|through {clock|age}", " -to {1:s}"),      \
        FORM_ONE('t', "for|last|lasting {age}", " -t {1:s}")
#define QUALITY                                                                \
    FORM_IF("quality|bitrate ?of|at {number|size}", " -b:a {1:n}k"),           \
        FORM_IF("without|no|remove sound|audio", " -an")
#define MEDIA_SAYS(more)                                                       \
    FORM_SAYS("convert|video|audio|clip|sound|ffmpeg|file|format|" more)

static const struct form_part sound[] = {
    FORM_ALWAYS("ffmpeg"),
    MEDIA_SOURCE,
    FROM,
    UNTIL,
    FORM_ALWAYS(" -vn"),
    FORM_IF("bitrate|quality ?of|at {number}; {number} kbps|kbit",
            " -b:a {1:n}k"),
    FORM_ONE('c', "copy|without|original reencoding|encoding|quality|codec",
             " -c:a copy"),
    TARGET,
    FORM_LAST('o', "{aformat}", " {0:stem}.{1:ending}", " {0:stem}.mp3"),
    MEDIA_SAYS(
        "extract|get|rip|save|separate|take|soundtrack|out|only|list|as|pull|"
        "music"),
    FORM_END,
};

static const struct form_part frame[] = {
    FORM_ALWAYS("ffmpeg"),
    FORM_ONE('s',
             "at|from|after ?second|time|minute|position {clock|age}; {clock}",
             " -ss {1:s}"),
    FORM_ONE('s', "second {number}", " -ss {1:n}"),
    MEDIA_SOURCE,
    FORM_ALWAYS(" -frames:v 1"),
    FORM_LAST('o', "{image}", " {1:path}", NULL),
    FORM_LAST('o', "{iformat}", " {0:stem}.{1:ending}", " {0:stem}.jpg"),
    MEDIA_SAYS("extract|get|take|thumbnail|screenshot|frame|image|still|second|"
               "create|grab|first|single|one"),
    FORM_END,
};

static const struct form_part frames[] = {
    FORM_ALWAYS("ffmpeg"),
    MEDIA_SOURCE,
    FORM_ONE('f', "every|each|per {age}", " -vf fps=1/{1:s}"),
    FORM_ONE('f',
             "{number} frame|frames|image|images per|a|each second; {number} "
             "fps; {number} per second",
             " -vf fps={1:n}"),
    FORM_ONE('f', "every|each|per|a second", " -vf fps=1"),
    FORM_LAST('o', "{iformat}", " {0:stem}-%04d.{1:ending}",
              " {0:stem}-%04d.png"),
    MEDIA_SAYS(
        "extract|get|frame|frames|image|images|all|every|second|into|as|split|"
        "save|per|one"),
    FORM_END,
};

static const struct form_part cut_tail[] = {
    FORM_ALWAYS("ffmpeg"),
    FORM_MUST("last|final {age}", " -sseof -{1:s}"),
    MEDIA_SOURCE,
    FORM_ALWAYS(" -c copy"),
    TARGET,
    AS_BEFORE("-cut"),
    MEDIA_SAYS("cut|trim|keep|last|extract|only|save|get"),
    FORM_END,
};

static const struct form_part cut[] = {
    FORM_ALWAYS("ffmpeg"),
    FORM_ONE('s', "off|delete|skip|drop|without|away|out ?the first {age}",
             " -ss {1:s}"),
    FORM_ONE(
        's',
        "from|between|at|start|starting|begin ?minute|second|time {clock|age}",
        " -ss {1:s}"),
    FORM_ONE('t', "to|until|till|and|end ?minute|second|time {clock}",
             " -to {1:s}"),
    {.words = MEDIA, .put = " -i {1:path}", .other = "-", .only = '@'},
    FORM_ONE('t', "first|for|to|only {age}; {age} long", " -t {1:s}"),
    FORM_ONE('t', "for {clock}", " -t {1:s}"),
    FORM_ALWAYS(" -c copy"),
    TARGET,
    AS_BEFORE("-cut"),
    MEDIA_SAYS(
        "cut|trim|keep|first|extract|only|part|save|get|clip|delete|seconds|"
        "between|segment|section"),
    FORM_END,
};

static const struct form_part scale[] = {
    FORM_ALWAYS("ffmpeg"),
    MEDIA_SOURCE,
    FORM_ONE('s', "{number} x|by|times {number}", " -vf scale={1:n}:{2:n}"),
    FORM_ONE('s', "{wxh}", " -vf scale={1:colon}"),
    FORM_ONE('s',
             "width ?of {number}; {number} pixel|pixels|px wide; wide {number}",
             " -vf scale={1:n}:-2"),
    FORM_ONE('s', "height ?of {number}; {lines}; {number} pixel|pixels|px high",
             " -vf scale=-2:{1:n}"),
    FORM_LAST('s', "half ?the size|resolution; by|to half",
              " -vf scale=iw/2:-2", "-"),
    TARGET,
    AS_BEFORE("-small"),
    MEDIA_SAYS(
        "resize|scale|down|up|size|resolution|pixel|pixels|width|height|to|"
        "change|x"),
    FORM_END,
};

static const struct form_part speed[] = {
    FORM_ALWAYS("ffmpeg"),
    MEDIA_SOURCE,
    FORM_ONE('v', "slow|slower|half", " -vf setpts=2*PTS -af atempo=0.5"),
    FORM_ONE('v', "{number}", " -vf setpts=PTS/{1:n} -af atempo={1:n}"),
    FORM_LAST('v', "twice|double", " -vf setpts=PTS/2 -af atempo=2",
              " -vf setpts=PTS/2 -af atempo=2"),
    TARGET,
    AS_BEFORE("-speed"),
    MEDIA_SAYS(
        "speed|up|down|faster|slower|fast|play|times|times|twice|as|make|x"),
    FORM_END,
};

/* A job that needs no more than its own options. */
#define PLAIN_PARTS(NAME, OPTIONS, MARK, WORDS)                                \
    static const struct form_part NAME[] = {                                   \
        FORM_ALWAYS("ffmpeg"),                                                 \
        MEDIA_SOURCE,                                                          \
        FORM_ALWAYS(OPTIONS),                                                  \
        TARGET,                                                                \
        AS_BEFORE(MARK),                                                       \
        MEDIA_SAYS(WORDS),                                                     \
        FORM_END,                                                              \
    }
PLAIN_PARTS(mute, " -c:v copy -an", "-mute",
            "mute|delete|remove|without|silence|strip|from|track");
PLAIN_PARTS(flip_around, " -vf hflip,vflip", "-rotated",
            "rotate|turn|180|degrees|degree|upside|down");
PLAIN_PARTS(turn_left, " -vf transpose=2", "-rotated",
            "rotate|turn|90|degrees|degree|left|counterclockwise|270");
PLAIN_PARTS(turn_right, " -vf transpose=1", "-rotated",
            "rotate|turn|90|degrees|degree|right|clockwise");
PLAIN_PARTS(reverse, " -vf reverse -af areverse", "-reversed",
            "reverse|backwards|play");
PLAIN_PARTS(compress, " -c:v libx264 -crf 28", "-small",
            "compress|shrink|smaller|reduce|size|create|make");
PLAIN_PARTS(even_sound, " -af loudnorm", "-normal",
            "normalize|loudness|volume|of|level");

static const struct form_part rate[] = {
    FORM_ALWAYS("ffmpeg"),
    MEDIA_SOURCE,
    FORM_MUST("{number} fps|frames; fps|framerate|rate ?to|of {number}",
              " -r {1:n}"),
    TARGET,
    AS_BEFORE("-fps"),
    MEDIA_SAYS("frame|rate|fps|framerate|change|set|per|second|frames|to"),
    FORM_END,
};

static const struct form_part picture_loop[] = {
    FORM_ALWAYS("ffmpeg"),
    FROM,
    UNTIL,
    MEDIA_SOURCE,
    FORM_ALWAYS(" -vf fps=10,scale=480:-1"),
    FORM_ELSE("{image}", " {1:path}", " {0:stem}.gif"),
    MEDIA_SAYS("gif|animated|create|turn|into|to|animation"),
    FORM_END,
};

static const struct form_part add_sound[] = {
    FORM_ALWAYS("ffmpeg"),
    {.words = "{video}", .put = " -i {1:path}", .other = "-", .only = '@'},
    FORM_MUST("{audio}", " -i {1:path}"),
    FORM_ALWAYS(" -map 0:v -map 1:a -c:v copy -shortest"),
    FORM_ELSE("{video}", " {1:path}", " {0:stem}-sound.{0:ending}"),
    MEDIA_SAYS("add|merge|combine|put|replace|track|with|soundtrack|of|by"),
    FORM_END,
};

static const struct form_part join[] = {
    FORM_ALWAYS("ffmpeg"),
    {.words = MEDIA, .put = " -i {1:path}", .other = "-", .only = '@'},
    FORM_MUST(MEDIA, " -i {1:path}"),
    FORM_ALWAYS(" -filter_complex concat=n=2:v=1:a=1"),
    FORM_ELSE(MEDIA, " {1:path}", " {0:stem}-joined.{0:ending}"),
    MEDIA_SAYS("join|concatenate|merge|combine|append|together|videos|clips"),
    FORM_END,
};

static const struct form_part convert[] = {
    FORM_ALWAYS("ffmpeg"),
    FROM,
    MEDIA_SOURCE,
    UNTIL,
    FORM_IF("{lines}", " -vf scale=-2:{1:n}"),
    FORM_IF("h264|x264", " -c:v libx264"),
    FORM_IF("h265|x265|hevc", " -c:v libx265"),
    FORM_IF("bitrate ?of {number}; {number} kbps|kbit", " -b:a {1:n}k"),
    FORM_IF("without re-encoding|reencoding|encoding; copy "
            "codec|codecs|stream|streams",
            " -c copy"),
    TARGET,
    FORM_LAST('o', "{vformat|aformat}", " {0:stem}.{1:ending}", "-"),
    MEDIA_SAYS("to|into|turn|change|encode|transcode|as"),
    FORM_END,
};

#define HAS_MEDIA MEDIA, "!{machine}|copy|move|delete|rename|download|{url}"

static const struct form media_forms[] = {
    FORM("add sound to a video", add_sound,
         "add|merge|combine|put|replace|with", "{video}", "{audio}",
         "!convert|extract"),
    FORM("mute a video", mute, "{video}",
         "mute|silence; delete|without|strip ?the audio|sound"),
    FORM(
        "take the sound out of a video", sound, "{video}",
        "extract|rip|separate|get|save|take|pull audio|sound|soundtrack|music; "
        "audio|sound of|from {video}; to|as|into {aformat|audio}; {audio}"),
    FORM("join two", join, MEDIA, "join|concatenate|merge|append; combine",
         "{video|audio} ?and|to|with {video|audio}"),
    FORM("a picture that moves", picture_loop, "{video}", "gif; {image}",
         "gif|animated"),
    FORM("one frame", frame, "{video}",
         "thumbnail|screenshot|still|frame|image",
         "!frames|images|fps|rate|per|every|each"),
    FORM("frames as pictures", frames, "{video}",
         "frames|images; frame per|every|each", "!rate|fps ?to"),
    FORM("another rate of frames", rate, "{video}",
         "fps|framerate|rate|frames"),
    FORM("the end of a recording", cut_tail, HAS_MEDIA, "last|final {age}"),
    FORM("play faster or slower", speed, HAS_MEDIA,
         "speed|faster|slower|slow|fast; double speed"),
    FORM("a part of a recording", cut, HAS_MEDIA,
         "cut|trim|clip|keep|part|extract|segment|first|section|delete",
         "{age}|{clock}"),
    FORM("another size of picture", scale, "{video}",
         "resize|scale|size|resolution|wide|width|height; to {lines}",
         "{wxh}|{number}|{lines}|half", "!mb|{size}"),
    FORM("turn a video around", flip_around, "{video}", "rotate|turn",
         "180|upside"),
    FORM("turn a video to the left", turn_left, "{video}", "rotate|turn",
         "left|counterclockwise|270|counter|anticlockwise"),
    FORM("turn a video to the right", turn_right, "{video}", "rotate"),
    FORM("play backwards", reverse, HAS_MEDIA, "reverse|backwards"),
    FORM("a smaller file of a video", compress, "{video}",
         "compress|shrink|smaller|reduce", "!zip|gzip|tar|xz|archive"),
    FORM("an even loudness", even_sound, HAS_MEDIA, "normalize|loudness"),
    FORM("another format", convert, HAS_MEDIA,
         "convert|transcode|encode|turn|change|reencode; to {vformat|aformat}",
         "{vformat|aformat}|{video|audio}"),
    FORMS_END,
};

int
generate_media(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_generate(media_forms, "media", q, s, e);
}

/* Images. */

#define PICTURE_SOURCE                                                         \
    {                                                                          \
        .words = "{image}", .put = " {1:path}", .other = "-", .only = '@'      \
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
#define PICTURE_SAYS                                                           \
    FORM_SAYS(                                                                 \
        "convert|resize|scale|image|images|picture|file|shrink|enlarge|crop|"  \
        "reduce|size|pixel|pixels|degrees|degree|percent|format|to|into|as|"   \
        "strip|delete|color|clockwise|right|create|all|every|colors|wide|"     \
        "width|height|turn|change|compress|with|in|each")

static const struct form_part one[] = {
    FORM_ALWAYS("convert"),
    PICTURE_SOURCE,
    CHANGES,
    FORM_ONE('o', "to|into|as|named|called {image}; {image}", " {1:path}"),
    FORM_LAST('o', "to|into|as {iformat}; pdf; {iformat} format",
              " {0:stem}.{1:ending}", " {0:stem}-new.{0:ending}"),
    PICTURE_SAYS,
    FORM_END,
};

static const struct form_part format[] = {
    FORM_ALWAYS("convert"),
    PICTURE_SOURCE,
    CHANGES,
    FORM_ONE('o', "to|into|as|in|named|called {image}; {image}", " {1:path}"),
    FORM_ONE('o', "to|into|as {iformat}; {iformat} format",
             " {0:stem}.{1:ending}"),
    FORM_LAST('o', "pdf", " {0:stem}.pdf", "-"),
    PICTURE_SAYS,
    FORM_END,
};

static const struct form_part many_format[] = {
    FORM_ALWAYS("mogrify"),
    FORM_MUST("to|into|as {iformat}", " -format {1:ending}"),
    CHANGES,
    FORM_MUST("{iformat|glob}", " *.{1:ending}"),
    PICTURE_SAYS,
    FORM_END,
};

static const struct form_part many[] = {
    FORM_ALWAYS("mogrify"),
    CHANGES,
    FORM_ELSE("{iformat|glob}", " *.{1:ending}", " *.jpg"),
    PICTURE_SAYS,
    FORM_END,
};

static const struct form picture_forms[] = {
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
generate_picture(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_generate(picture_forms, "picture", q, s, e);
}
