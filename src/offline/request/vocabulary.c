/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vocabulary.c - words that are no names, though they may stand where one
 * does: "user home", "file names", "process list". */
#include "offline/request/synonyms.h"
#include "offline/request/words.h"

/* Without endings, and without what synonyms.c has at its left: a text for
 * each letter that words begin with, so that little is searched. */
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
