/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lexicon.c - reduces words to stems and knows common, weak and number words.
 */
#include "offline/parse/lexicon.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/str.h"
#include "offline/parse/synonyms.h"

/* Common words without endings, and without the left column of synonyms.c: one
 * text for each first letter, so that the search is short. */
static const char *const vocabulary[] = {
    /* a */
    "able abort about above absolute accept access accessible accidentally "
    "according acl across activate active activity actual actually adapter "
    "add address adjust administrator affinity after afterwards again "
    "against age agent ago ahead alarm alert algorithm alias align alive "
    "all allocate allow alphabet alphabetical alphanumeric already "
    "alternative although always ambient among amount analyze ancestor and "
    "another ansi answer any anybody anyone anything anyway apart api "
    "apparent appear append apply appropriate april architecture archive "
    "argument arm around arp array art ascending ascii ask assign atime "
    "attach attacker attempt attribute audio august auth authenticate "
    "authentication author authorize automatic automatically autostart "
    "average away",
    /* b */
    "back background backlight backslash backtrace backup backwards bad "
    "balance bandwidth bank banner bar bare base basic batch battery bcc "
    "because become beep before beforehand begin behind below benchmark "
    "beside best between beyond big bigger biggest binary bind bios birth "
    "bit blacklist block bluetooth body bold bookmark boot both bottom "
    "bounce bracket branch break brief brightness bring broadcast broken "
    "browse browser bsd buffer bug build built builtin bulk burn bus busy "
    "bypass byte",
    /* c */
    "cable cache calculate calendar call camera cancel canonical cap "
    "capability capitalize capture card care careful carriage case cat "
    "catch cause cd center certificate cgi chain change channel chapter "
    "character charge chart chat check checkout checksum child children "
    "chip choose chop chunk cidr cipher class clean clear cli click client "
    "clipboard clobber clock clone close closest cloud cluster cms code "
    "coin collapse collect color colorize column combination come comm "
    "comma command comment commit common communication compact compare "
    "comparison compile complete complex component compose compress "
    "computer concatenate condition conditional configuration confirm "
    "conflict connect consecutive consider consist console constraint "
    "consume contact contain container content context continuation "
    "continue continuous control conversation conversion convert cookie "
    "cool coordinate copy core correct corresponding corrupt count counter "
    "country course cover cpio cpu crash crc create credential critical "
    "crlf crontab ctime ctrl cumulative curly current cursor custom cut "
    "cycle cyclic",
    /* d */
    "dark darker dash dashboard data database datagram date day deactivate "
    "dead debug december decimal decode decompile decrease decrypt "
    "deduplicate deep default define defunct delay delegation delete "
    "delimit delimiter demo deny depend dependency deploy depth dereference "
    "derive descend descendant describe description descriptor desktop "
    "destination destroy detach detail detect determine device dhcp "
    "dictionary die digit dim direct direction directory disable disallow "
    "disconnect discover disk distance distribution divide dnf dns document "
    "domain dos dot dotfile double down download draft draw driver drop dry "
    "dual due dummy dump duplex duplicate duration during dvd dynamic",
    /* e */
    "each eager earlier earliest early easy ecdsa echo edit editor effect "
    "effective efi either elapsed eliminate else elsewhere embed emit empty "
    "enable enclose encode encoding encounter encrypt end endless engine "
    "english enough ensure enter entire entropy entry environment epoch "
    "equal error escape especially even evenly event ever every everybody "
    "everyone everything exact exactly example except excess exchange "
    "exclusive executable exist exit expand expect expire expiry explain "
    "explicit export expression extend extension external extra extract eye",
    /* f */
    "fail fall false fan far fashion fast fat fatal favor favorite "
    "favourite feature february feed fetch few fewer fifo fifth figure file "
    "filesystem fill filter final find fine fingerprint finish fire "
    "firewall firmware first fit five fix flag flash flat flip flood floppy "
    "flush fold follow font footprint forbid force forecast foreground "
    "forest forever forget fork form format forth forward fourth fqdn "
    "fraction fragment frame free freeze frequency frequent fresh friday "
    "front frozen ftp full fully function further fuzzy",
    /* g */
    "gateway gather general generator gid gigabyte git give global gmt "
    "gnome gnu go gone good gpg gpl gpu graceful grand grant graph graphic "
    "graphical greater greedy grep group grow grub guard guess guest gui "
    "guid gzip",
    /* h */
    "half hand handle handler hang happen hard hardware hash head header "
    "headphone health heap heavy height held hello help here hex "
    "hexadecimal hibernate hidden hide hierarchy high highlight histogram "
    "history hit hold hole home hop horizontal host hostname hot hour how "
    "http https human hundred hung hyphen",
    /* i */
    "icmp icon id ide identical identify identity idle ignore image imap "
    "immediate immediately immune immutable import important impossible "
    "inactive include incoming increase increment incremental indent index "
    "individual infinite info information inherit initial inner inode input "
    "insensitive insert inside inspect install instance instead integer "
    "integrate interactive interface intermediate internal internet "
    "interpret interpreter interrupt intersection interval invalid "
    "invalidate invert invisible io ip ipc irc irq is iscsi iso isolate "
    "issue item iteration itself",
    /* j */
    "january job join json julian july jump june junk jvm",
    /* k */
    "kde keep kept kernel key keyboard keymap keystroke keyword kick kill "
    "kilobyte kind know kvm",
    /* l */
    "label lack lan language last latency later layer layout ldap lead leaf "
    "leak lease least leave left leftover legacy length less level library "
    "license lifetime lift like likely limit line lingering link linux list "
    "listen listener literal little live load local locale location lock "
    "log logical login logout lone long loop loose lose loss lost lot loud "
    "low lowercase lts lvm lwp",
    /* m */
    "mac mail main mainly maintain major malformed manage manager manpage "
    "manual manufacturer many map mapping march margin mark mask masquerade "
    "master match math mathematical matter maximum md mean measure media "
    "median megabyte member membership memory mention menu merge message "
    "metadata method mib microphone middle midnight millisecond mime "
    "minimal minimize minimum minor minus minute mirror missing mistake "
    "mixed mobile mod model modem modify module moment monday month more "
    "morning most mount mouse move mtime mtu much multicast multiple must "
    "mute myself",
    /* n */
    "name nanosecond nas nat native natural navigate near nearby nearest "
    "need negative neighbor neither nest network new newer newest newline "
    "next nfs nic nice night nightly nobody node noise none noon not note "
    "notebook nothing notice notification notify november now nowhere ntfs "
    "ntp null number numeral numeric numerical nvme",
    /* o */
    "object obsolete occupy occur occurrence octal october odd off offline "
    "offset often ok old older oldest once one online only onward oom open "
    "operate operation operator option optional organize origin original "
    "orphan os other otherwise ours out outdated outer outgoing output "
    "outside over overlap override overview overwrite owner",
    /* p */
    "package packet padded padding page pair paragraph parallel parameter "
    "parent parentheses parenthesis parse part partial partition partner "
    "pass password past paste patch path pattern pause payload pci peak "
    "peek peer pem pending people per percent percentage performance "
    "perhaps period permanent permission permit permutation persistent "
    "person personal pgp phone php phrase physical pick pid piece pin ping "
    "pipe pipeline pixel place plain plan play player plug plugin plus "
    "point poke policy pool pop port position positional positive posix "
    "possible post power ppid precede precision preferably prefix prepend "
    "preserve press pressure pretend pretty prevent preview previous "
    "primary printable printer priority private problem process product "
    "profile program progress project prompt properly property protect "
    "protocol provide provider proxy pseudo pty public publish pull "
    "punctuation push put",
    /* q */
    "qualified quality query question queue quick quickly quiet quit quota "
    "quote",
    /* r */
    "radio raid rain random randomize range rank rate ratio raw reach "
    "reachable read readable real really reap reason rebase reboot rebuild "
    "receive recent recognize record recover recreate recursive recycle "
    "redirect redo reduce refer reference reformat refresh refuse regard "
    "regardless regenerate register regular reinstall reject related "
    "relational relative release reload remain remark remember remind "
    "remote remount rename renew reopen repair repeat repetition repetitive "
    "replace reply report repository represent representation request "
    "require requirement reread rerun reset reside resident resize resolution "
    "resolve "
    "resource respect respond response responsible restart restore restrict "
    "result resume retain retire retrieve retry return reuse reverse revert "
    "review revision revoke rewrite rfc rgb right ring roll rollback rom "
    "root rotate rough round route router rpc rpm rsa rss rtc rule run "
    "runtime",
    /* s */
    "safe safely safety same sample sata satisfy saturday save say scan "
    "schedule scheduler schema scope scratch screen screenful screensaver "
    "screenshot script scroll scsi second secret section secure security "
    "seem segment select self semaphore semicolon send sense sensitive "
    "sensor sent sentence separate separator september sequence serial "
    "series serve server service session set setting setup several sftp "
    "sgid sha shall shape share shell shift short shortcut shorten should "
    "shred shrink shuffle shut shutdown sibling side sighup sigint sigkill "
    "sign signal signature sigstop sigterm sigusr silence silent silently "
    "similar simple simulate simultaneous since single sit size skip slash "
    "sleep slice slot slow small smaller smallest smb smtp snapshot sniff "
    "so socket soft software solve somebody someone something sometimes "
    "somewhere soon sort source space sparse spawn speak speaker special "
    "specific specify speed spell split spoof spread sql squash squeeze ssh "
    "sshd ssid ssl stack staged stale stamp stand standard standby start "
    "startup stash state static statistic status stay stderr stdin stdout "
    "step stick sticky still stopwatch store strange stray stream stress "
    "string strip strong structure stubborn stuck style sub subdirectory "
    "subject submit submodule subnet subprocess subshell substring subtract "
    "subtree succeed success such sudden suffix suid sum summary sunday "
    "super superuser support sure surround survive suspend svg swap switch "
    "symbol symbolic symlink symmetric synchronize syntax sys sysadmin "
    "system",
    /* t */
    "tab table tabular tag tail take talk tar target task tcp temperature "
    "template temporary ten terminal test tether text tftp therefore thin "
    "thing think third thousand thread throttle through throughput throw "
    "thumbnail thursday tie time timeout timer timestamp timezone title tls "
    "today together toggle token toml tomorrow tonight too tool top topic "
    "total touch towards trace track traffic trailing transfer transient "
    "translate transmission transpose trap traverse treat tree trend "
    "trigger trim truncate trust try ttl tty tuesday tune tunnel turn twice "
    "type",
    /* u */
    "udp uefi ufw ugly uid unattended unban unblock unchanged uncomment "
    "uncommitted uncompressed underscore undo unequal unexpected unfreeze "
    "unicode unified uninstall union unique unit universal unix unknown "
    "unless unlimited unload unlock unmask unmount unnecessary unpaired "
    "unplug unreadable unreliable unschedule unset unsigned unstage "
    "unsuccessful until untracked unused unwanted unwrap up upcoming update "
    "upgrade uppercase upside uptime uptodate url usable usage usb use "
    "useful user username utc utf utility uuid",
    /* v */
    "vacuum valid validate validity value variable variant various vendor "
    "verbose verbosely verification verify version vertical via video "
    "virtual virtualization virus visible visit vlan vm vnc voice volume "
    "vpn",
    /* w */
    "wait wake wall wallpaper wan want warn watch wav weather web website "
    "wednesday week weekday weekend weekly weird well wep what when where "
    "wherever whether while white whitespace who whoever whom whose why "
    "wide width wifi wildcard window wire within without word work worker "
    "workspace worktree world worse worst wpa wrap wrapped writable write "
    "written wrong",
    /* x */
    "xml xorg",
    /* y */
    "yaml year yes yesterday yet yield",
    /* z */
    "zero zip zombie zone",
};

#define LETTERS ARRAY_SIZE(vocabulary)

bool
lexicon_is_common(const char *word)
{
    size_t letter = (size_t)((unsigned char)word[0] - 'a');

    return synonyms_of(word) ||
           (letter < LETTERS && lexicon_listed(word, vocabulary[letter]));
}

/* Weak words, numbers in words, distance between words. */

/* Words of any request, whatever it asks for. Sorted. */
static const char *const weak[] = {
    "a",     "all",    "also",       "am",     "an",       "and",
    "any",   "are",    "as",         "at",     "be",       "been",
    "being", "but",    "by",         "can",    "certain",  "could",
    "did",   "do",     "does",       "doing",  "done",     "e.g",
    "etc",   "for",    "from",       "given",  "going",    "had",
    "has",   "have",   "having",     "hello",  "her",      "hers",
    "hey",   "hi",     "him",        "his",    "how",      "i",
    "i.e",   "if",     "ill",        "im",     "in",       "inside",
    "into",  "is",     "it",         "its",    "ive",      "just",
    "let",   "lets",   "like",       "may",    "me",       "might",
    "must",  "my",     "need",       "of",     "on",       "onto",
    "or",    "our",    "particular", "please", "pls",      "really",
    "shall", "should", "so",         "some",   "specific", "specified",
    "such",  "than",   "thank",      "thanks", "that",     "the",
    "their", "theirs", "them",       "then",   "there",    "these",
    "they",  "this",   "those",      "to",     "under",    "us",
    "using", "via",    "want",       "was",    "way",      "we",
    "were",  "what",   "whats",      "which",  "whose",    "will",
    "wish",  "with",   "within",     "would",  "you",      "your",
};

bool
lexicon_is_weak(const char *stem)
{
    return bsearch(stem, weak, ARRAY_SIZE(weak), sizeof(weak[0]),
                   str_compare_key) != NULL;
}

bool
lexicon_listed(const char *word, const char *list)
{
    size_t n = strlen(word);

    if (n == 0 || strchr(word, ' '))
        return false;
    for (const char *s = strstr(list, word); s; s = strstr(s + 1, word))
        if ((s == list || s[-1] == ' ') && (s[n] == ' ' || s[n] == '\0'))
            return true;
    return false;
}

static const struct {
    const char *word;
    long n;
} numbers[] = {
    {"zero", 0},          {"one", 1},       {"two", 2},
    {"three", 3},         {"four", 4},      {"five", 5},
    {"six", 6},           {"seven", 7},     {"eight", 8},
    {"nine", 9},          {"ten", 10},      {"eleven", 11},
    {"twelve", 12},       {"thirteen", 13}, {"fourteen", 14},
    {"fifteen", 15},      {"sixteen", 16},  {"seventeen", 17},
    {"eighteen", 18},     {"nineteen", 19}, {"twenty", 20},
    {"thirty", 30},       {"forty", 40},    {"fifty", 50},
    {"sixty", 60},        {"seventy", 70},  {"eighty", 80},
    {"ninety", 90},       {"hundred", 100}, {"thousand", 1000},
    {"million", 1000000}, {"dozen", 12},    {"third", 3},
    {"fourth", 4},        {"fifth", 5},     {"sixth", 6},
    {"seventh", 7},       {"eighth", 8},    {"ninth", 9},
    {"tenth", 10},        {"couple", 2},
};

static long
number_row(const char *word, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
        if (strlen(numbers[i].word) == n &&
            memcmp(numbers[i].word, word, n) == 0)
            return numbers[i].n;
    return -1;
}

/* "twenty-five" too */
long
lexicon_number(const char *word)
{
    const char *dash = strchr(word, '-');
    long tens, ones;

    if (!dash)
        return number_row(word, strlen(word));
    tens = number_row(word, (size_t)(dash - word));
    ones = number_row(dash + 1, strlen(dash + 1));
    return tens >= 20 && tens <= 90 && ones >= 1 && ones <= 9 ? tens + ones
                                                              : -1;
}

static unsigned
least_of(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;

    return m < c ? m : c;
}

/* Computes a row of the distance table from the two before it. Returns the
 * smallest distance in it. */
static unsigned
next_row(const char *a, size_t i, const char *b, size_t n,
         unsigned r[3][REQUEST_STEM_MAX + 1])
{
    unsigned *now = r[i % 3], *last = r[(i + 2) % 3], *before = r[(i + 1) % 3];
    unsigned low;

    low = now[0] = (unsigned)i;
    for (size_t j = 1; j <= n; j++) {
        unsigned differ = a[i - 1] != b[j - 1];

        now[j] = least_of(last[j] + 1, now[j - 1] + 1, last[j - 1] + differ);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            now[j] = least_of(now[j], before[j - 2] + 1, now[j]);
        low = now[j] < low ? now[j] : low;
    }
    return low;
}

unsigned
lexicon_distance(const char *a, const char *b, unsigned most)
{
    unsigned rows[3][REQUEST_STEM_MAX + 1];
    size_t m = strnlen(a, REQUEST_STEM_MAX), n = strnlen(b, REQUEST_STEM_MAX);
    unsigned low = 0, before;

    if ((m > n ? m - n : n - m) > most)
        return most + 1;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        before = low;
        low = next_row(a, i, b, n, rows);
        /* a swap looks back over one row, so that two rows must be too far */
        if (low > most && before > most)
            return most + 1;
    }
    return rows[m % 3][n] > most ? most + 1 : rows[m % 3][n];
}

/* A word with at most this many letters has no ending. */
#define SHORT_WORD 3

static bool
is_vowel(char c)
{
    return c && strchr("aeiouy", c) != NULL;
}

static bool
ends_in(const char *w, size_t n, const char *end)
{
    size_t k = strlen(end);

    return n > k && memcmp(w + n - k, end, k) == 0;
}

/* Makes a word lower case, without "'s" and other non-letters at its end. */
static size_t
fold_accents(const char *word, size_t n, char *out)
{
    size_t k = 0;

    for (size_t i = 0; i < n && k < REQUEST_STEM_MAX - 1; i++) {
        if ((unsigned char)word[i] == 0xe2 && n - i >= 3 &&
            memcmp(word + i, "\xe2\x80\x99", 3) == 0) {
            out[k++] = '\'';
            i += 2;
        } else {
            out[k++] = ascii_to_lower(word[i]);
        }
    }
    if (ends_in(out, k, "'s"))
        k -= 2;
    else if (ends_in(out, k, "s'"))
        k -= 1;
    out[k] = '\0';
    return k;
}

/* "dont" of "don't" */
static void
drop_apostrophes(char *w)
{
    char *to = w;

    for (const char *p = w; *p; p++)
        if (*p != '\'' || p == w)
            *to++ = *p;
    *to = '\0';
}

/* Replaces w by its synonym. Returns whether w is a known word. */
static bool
settle_synonym(char *w)
{
    const char *means = synonyms_of(w);

    if (means) {
        memcpy(w, means, strlen(means) + 1);
        return true;
    }
    return lexicon_is_common(w);
}

/* Keeps w[0..n) followed by `end` when that is a known word. */
static bool
try_stem(char *w, size_t n, const char *end)
{
    char t[REQUEST_STEM_MAX];
    size_t k = strlen(end);

    if (n < 2 || n >= sizeof(t) || k >= sizeof(t) - n)
        return false;
    memcpy(t, w, n);
    memcpy(t + n, end, k + 1);
    if (!settle_synonym(t))
        return false;
    memcpy(w, t, sizeof(t));
    return true;
}

/* An ending, and what may be in its place in the stem. */
static const struct word_ending {
    const char *end;
    const char *base[4];
} endings[] = {
    {"ies", {"y", "ie", NULL}}, {"ied", {"y", NULL}},
    {"ves", {"f", "ve", NULL}}, {"es", {"e", "", NULL}},
    {"s", {"", NULL}},          {"ed", {"", "e", NULL}},
    {"ings", {"", "e", NULL}},  {"ing", {"", "e", NULL}},
    {"ally", {"al", "", NULL}}, {"ily", {"y", NULL}},
    {"ly", {"", "le", NULL}},   {"er", {"", "e", NULL}},
    {"est", {"", "e", NULL}},   {"ation", {"e", "", NULL}},
    {"ion", {"e", "", NULL}},   {"ment", {"", NULL}},
};

/* "stopp" of "stopping" */
static bool
is_doubled(const char *w, size_t n)
{
    return n >= 3 && w[n - 1] == w[n - 2] && !is_vowel(w[n - 1]);
}

/* Removes one ending when a known word is left. */
static bool
known_without_ending(char *w, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
        size_t left = n - strlen(endings[i].end);

        if (!ends_in(w, n, endings[i].end))
            continue;
        for (const char *const *b = endings[i].base; *b; b++)
            if (try_stem(w, left, *b))
                return true;
        if (is_doubled(w, left) && try_stem(w, left - 1, ""))
            return true;
    }
    return false;
}

static bool
has_vowel(const char *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_vowel(w[i]))
            return true;
    return false;
}

/* Removes the plural of an unknown word. A word in -ing or -ed may be a name
 * and is kept. */
static void
strip_plural(char *w, size_t n)
{
    if (n <= SHORT_WORD || w[n - 1] != 's' || strchr("siu'", w[n - 2]) ||
        !has_vowel(w, n - 1))
        return;
    w[n - 1] = '\0';
}

void
lexicon_stem(const char *word, size_t n, char *out)
{
    size_t k = fold_accents(word, n, out);

    if (out[0] == 'i' && out[1] == '\'') /* I'd, I'm, I'll */
        out[k = 1] = '\0';
    if (memchr(out, '\'', k)) {
        drop_apostrophes(out);
        k = strlen(out);
    }
    if (settle_synonym(out) || lexicon_is_weak(out))
        return;
    if (k > SHORT_WORD && known_without_ending(out, k))
        return;
    strip_plural(out, k);
}

bool
lexicon_known(const char *word)
{
    char w[REQUEST_STEM_MAX];
    size_t n = strlen(word);

    lexicon_stem(word, n, w);
    return lexicon_is_common(w) || lexicon_is_weak(w) ||
           lexicon_number(word) >= 0;
}
