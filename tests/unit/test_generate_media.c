/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_media.c - commands for recordings and images. */
#include "generated.h"
#include "unit.h"

static const struct generated media_rows[] = {
    {"convert video.mp4 to mp3", "ffmpeg -i video.mp4 -vn video.mp3"},
    {"convert clip.mov to mp4", "ffmpeg -i clip.mov clip.mp4"},
    {"convert song.wav to song.flac", "ffmpeg -i song.wav song.flac"},
    {"cut the first 30 seconds of clip.mov",
     "ffmpeg -i clip.mov -t 30 -c copy clip-cut.mov"},
    {"cut video.mp4 from 00:01:00 to 00:02:30",
     "ffmpeg -ss 00:01:00 -to 00:02:30 -i video.mp4 -c copy video-cut.mp4"},
    {"trim talk.mkv from 1:15 for 20 seconds into part.mkv",
     "ffmpeg -ss 1:15 -i talk.mkv -t 20 -c copy part.mkv"},
    {"keep the last 10 seconds of clip.mp4",
     "ffmpeg -sseof -10 -i clip.mp4 -c copy clip-cut.mp4"},
    {"extract the audio from lecture.mp4",
     "ffmpeg -i lecture.mp4 -vn lecture.mp3"},
    {"extract the audio of movie.mkv into sound.wav",
     "ffmpeg -i movie.mkv -vn sound.wav"},
    {"extract a frame at 00:00:10 from video.mp4",
     "ffmpeg -ss 00:00:10 -i video.mp4 -frames:v 1 video.jpg"},
    {"take a screenshot of film.mkv at 1:02:03 as shot.png",
     "ffmpeg -ss 1:02:03 -i film.mkv -frames:v 1 shot.png"},
    {"extract one frame per second from clip.mp4",
     "ffmpeg -i clip.mp4 -vf fps=1 clip-%04d.png"},
    {"extract all frames of clip.mp4 as jpg",
     "ffmpeg -i clip.mp4 clip-%04d.jpg"},
    {"resize video.mp4 to 720p",
     "ffmpeg -i video.mp4 -vf scale=-2:720 video-small.mp4"},
    {"scale clip.mp4 to 1280x720",
     "ffmpeg -i clip.mp4 -vf scale=1280:720 clip-small.mp4"},
    {"scale clip.mp4 to a width of 640",
     "ffmpeg -i clip.mp4 -vf scale=640:-2 clip-small.mp4"},
    {"speed up clip.mp4 by 2",
     "ffmpeg -i clip.mp4 -vf setpts=PTS/2 -af atempo=2 clip-speed.mp4"},
    {"slow down clip.mp4",
     "ffmpeg -i clip.mp4 -vf setpts=2*PTS -af atempo=0.5 clip-speed.mp4"},
    {"remove the audio from clip.mp4",
     "ffmpeg -i clip.mp4 -c:v copy -an clip-mute.mp4"},
    {"mute holiday.mov",
     "ffmpeg -i holiday.mov -c:v copy -an holiday-mute.mov"},
    {"join a.mp4 and b.mp4 into all.mp4",
     "ffmpeg -i a.mp4 -i b.mp4 -filter_complex concat=n=2:v=1:a=1 all.mp4"},
    {"change clip.mp4 to 30 fps", "ffmpeg -i clip.mp4 -r 30 clip-fps.mp4"},
    {"make a gif of clip.mp4",
     "ffmpeg -i clip.mp4 -vf fps=10,scale=480:-1 clip.gif"},
    {"rotate video.mp4 by 90 degrees clockwise",
     "ffmpeg -i video.mp4 -vf transpose=1 video-rotated.mp4"},
    {"rotate video.mp4 by 180 degrees",
     "ffmpeg -i video.mp4 -vf hflip,vflip video-rotated.mp4"},
    {"compress big.mp4",
     "ffmpeg -i big.mp4 -c:v libx264 -crf 28 big-small.mp4"},
    {"add music.mp3 to silent.mp4",
     "ffmpeg -i silent.mp4 -i music.mp3 -map 0:v -map 1:a -c:v copy -shortest "
     "silent-sound.mp4"},
    {"normalize the loudness of talk.mp3",
     "ffmpeg -i talk.mp3 -af loudnorm talk-normal.mp3"},
    {"reverse clip.mp4",
     "ffmpeg -i clip.mp4 -vf reverse -af areverse clip-reversed.mp4"},
};

static void
recordings_are_converted(void **state)
{
    (void)state;
    generated_check(media_rows, sizeof(media_rows) / sizeof(media_rows[0]));
}

static const struct generated pict_rows[] = {
    {"resize picture.png to half",
     "convert picture.png -resize 50% picture-new.png"},
    {"resize photo.jpg to 50%", "convert photo.jpg -resize 50% photo-new.jpg"},
    {"resize photo.jpg to 800x600",
     "convert photo.jpg -resize 800x600 photo-new.jpg"},
    {"resize logo.png to a width of 300 pixels",
     "convert logo.png -resize 300 logo-new.png"},
    {"convert logo.png to jpg", "convert logo.png logo.jpg"},
    {"convert photo.heic to photo.jpg", "convert photo.heic photo.jpg"},
    {"convert scan.tiff to pdf", "convert scan.tiff scan.pdf"},
    {"convert all png files to jpg", "mogrify -format jpg *.png"},
    {"resize all jpg images to 1024x768", "mogrify -resize 1024x768 *.jpg"},
    {"rotate photo.jpg by 90 degrees",
     "convert photo.jpg -rotate 90 photo-new.jpg"},
    {"rotate photo.jpg left", "convert photo.jpg -rotate -90 photo-new.jpg"},
    {"make photo.jpg grayscale",
     "convert photo.jpg -colorspace Gray photo-new.jpg"},
    {"crop photo.jpg to 200x200",
     "convert photo.jpg -crop 200x200+0+0 +repage photo-new.jpg"},
    {"convert photo.png to jpg with quality 80",
     "convert photo.png -quality 80 photo.jpg"},
    {"strip the metadata from photo.jpg",
     "convert photo.jpg -strip photo-new.jpg"},
    {"flip image.png", "convert image.png -flip image-new.png"},
    {"resize photo.jpg to 640x480 and save it as small.jpg",
     "convert photo.jpg -resize 640x480 small.jpg"},
    {"blur face.png", "convert face.png -blur 0x8 face-new.png"},
};

static void
pictures_are_changed(void **state)
{
    (void)state;
    generated_check(pict_rows, sizeof(pict_rows) / sizeof(pict_rows[0]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recordings_are_converted),
        cmocka_unit_test(pictures_are_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
