/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vocabulary.c - words that are no names, though they may stand where one
 * does: "user home", "file names", "process list". */
#include "offline/wish/synonyms.h"
#include "offline/wish/words.h"

/* Without endings, and without what synonyms.c has at its left: a text for
 * each letter that words begin with, so that little is searched. */
static const char *const vocabulary[] = {
    /* a */
    "about above absolute accept access accidentally across active actual "
    "actually adapter add address administrator after again age alias all "
    "alphabet alphabetical alternative always amount another answer any "
    "anything apart append apply architecture archive argument array ascii "
    "ask assign atime attach attribute audio author automatic automatically "
    "average away",
    /* b */
    "back background backup bad balance bandwidth banner bar base basic "
    "battery become before begin behind below best between big bigger "
    "biggest binary bind bit block bluetooth bold bookmark boot both bottom "
    "bracket branch break brief brightness broadcast broken browse browser "
    "buffer bug build built busy byte",
    /* c */
    "cable cache calculate calendar call camera cancel card careful case "
    "cat catch cd center certificate chain change channel character charge "
    "chart chat check checkout checksum child children choose chunk clean "
    "clear click client clipboard clock clone close closest cloud cluster "
    "code collect color colour column comma command comment commit common "
    "compact compare comparison compile complete complex compress computer "
    "concatenate condition config configuration configure confirm conflict "
    "connect consecutive consist console consume contain container content "
    "context continue control convert cookie copy correct corresponding "
    "corrupt count country course cover cpu crash create credential crontab "
    "ctime current cursor custom cut cycle",
    /* d */
    "dash dashboard data database date day dead debug decimal decode "
    "decompile decrypt deep default define delay delete delimiter demo deny "
    "dependency deploy depth describe description desktop destination "
    "detach detail detect device dictionary digit direction directory "
    "disable disconnect discover disk distance distribution document domain "
    "dot double down download draft driver drop dry dump duplicate duration",
    /* e */
    "each easy edit editor effective either else email empty enable encode "
    "encoding encrypt end engine enter entire entry environment equal error "
    "escape especially event ever every everything exact exactly example "
    "except excess exchange executable exist exit expand expect expire "
    "explain export expression extend extension external extra extract",
    /* f */
    "fail fan far fast fatal favor favourite feature feed fetch few fewer "
    "fifth figure file filesystem fill filter final find fine finish "
    "firewall first fit five fix flag flash flat floppy flush follow font "
    "force foreground forget fork form format forward fourth fragment frame "
    "free freeze frequency frequent fresh front full fully function",
    /* g */
    "gateway general give global good grant graph graphic grep group grow "
    "guess guest gzip",
    /* h */
    "half hand handle hang happen hard hardware hash head header headphone "
    "health heap heavy height hello help here hex hexadecimal hibernate "
    "hidden hide hierarchy high highlight history hit hold home host "
    "hostname hour how human",
    /* i */
    "icon id identical identify idle ignore image immediate immediately "
    "immune import important include incoming increase indent index "
    "individual info information inner inode input insensitive insert "
    "inside inspect install instance instead integer interactive interface "
    "internal interpreter interrupt interval invalid invert ip is issue "
    "item iteration itself",
    /* j */
    "job join jump",
    /* k */
    "keep kernel key keyboard keyword kill kind know",
    /* l */
    "label language last latency later layer layout lead least leave left "
    "length less level library license like likely limit line link list "
    "listen live load local locale location lock log login logout long loop "
    "lose lost loud low lowercase",
    /* m */
    "mail main maintain major manage manager manual many map margin mark "
    "mask master match math matter maximum mean media member memory mention "
    "menu merge message metadata method microphone middle minimal minimum "
    "minor minute mirror missing mobile model modem modify module moment "
    "month more most mount mouse move multiple mute myself",
    /* n */
    "name native navigate near nearest need neither nest network new newer "
    "newest newline next nice node noise none not note notebook "
    "notification notify null number numeric",
    /* o */
    "object obsolete occupy occurrence octal odd off offset old older "
    "oldest one online only open operation option organize origin original "
    "other outdated outer outgoing output outside over overwrite owner",
    /* p */
    "package packet padding page pair parallel parameter parent parse part "
    "partial partition pass password past paste patch path pattern pause "
    "peer pending per percent percentage performance period permission "
    "person phone phrase physical piece pin ping pipe pixel place plain "
    "plan play player plugin plus point pool pop port position positive "
    "possible post power prefix prepend preserve prevent preview previous "
    "primary printer priority private problem process profile program "
    "progress project prompt properly property protect protocol proxy "
    "public publish pull push put",
    /* q */
    "quality query question queue quick quickly quiet quit quota quote",
    /* r */
    "random range rate ratio raw reach read readable real really reason "
    "rebase reboot receive recent record recover recursive redirect redo "
    "reduce refer refresh register regular reinstall related relative "
    "release reload remain remember remote remount rename repair repeat "
    "replace reply report repository request require reset reside resize "
    "resolution resolve resource respond response responsible restart "
    "restore restrict result resume retrieve retry return reverse revert "
    "review revision rewrite right rollback root rotate round route router "
    "rule run runtime",
    /* s */
    "safe safely same sample save say scan schedule scheduler schema screen "
    "screenful screenshot script scroll second secret section secure "
    "security seem segment select self send sensitive separate separator "
    "sequence serial series server service session set setting setup "
    "several shall shape share shell shift short shortcut shrink shuffle "
    "shutdown sibling side sign signal signature silent silently similar "
    "simple simulate simultaneous since single sit size slash sleep slice "
    "slow small smaller smallest snapshot socket soft software solve "
    "something somewhere sort source space sparse speak speaker special "
    "specific specify speed spell split squash sshd stack staged stale "
    "standard start startup stash state static statistic status stay stderr "
    "stdin stdout step stick sticky still store stream string strip "
    "structure style sub subdirectory subject submodule subnet subprocess "
    "substring success such sudden suffix sum summarize summary support "
    "suspend swap switch symbol symbolic symlink sync synchronize syntax "
    "system",
    /* t */
    "tab table tag tail take tar target task tcp temperature template "
    "temporary terminal test text thing third thousand thread through "
    "throughput throw thumbnail time timeout timer timestamp timezone title "
    "together toggle token tonight tool top topic total touch trace track "
    "traffic trailing transfer translate traverse tree trigger trim "
    "truncate trust try turn type",
    /* u */
    "udp ugly uncommitted undo unexpected unicode uninstall unique unit "
    "unix unless unlock unmount unnecessary unplug unset unstage until "
    "untracked unused unwanted update upgrade uppercase upside uptime usage "
    "usb use useful user username utility",
    /* v */
    "valid value variable vendor verbose verbosely verify version vertical "
    "via video virtual visible visit voice volume",
    /* w */
    "wait wake wallpaper want warning watch wav web website week weekday "
    "weekend weird well wherever whether while white whitespace whose wide "
    "width wifi wildcard window wireless within without word work worker "
    "workspace worktree world worst wrap wrapped writable write wrong",
    /* x */
    "",
    /* y */
    "year yes yesterday",
    /* z */
    "zero zip zone",
};

#define LETTERS (sizeof(vocabulary) / sizeof(vocabulary[0]))

bool
vocabulary_has(const char *word)
{
    size_t letter = (size_t)((unsigned char)word[0] - 'a');

    return synonym_of(word) ||
           (letter < LETTERS && words_listed(word, vocabulary[letter]));
}

const char *
vocabulary_letter(size_t i)
{
    return i < LETTERS ? vocabulary[i] : NULL;
}
