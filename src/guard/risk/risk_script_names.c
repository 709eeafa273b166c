/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_script_names.c - reports names in code that are not known to be
 * harmless.
 *
 * The table of calls lists what harms, but there are more ways to do that than
 * a table can list. So whatever is called, imported or taken from an object
 * has to be in the table, in a list of harmless names here, or defined by the
 * code itself. */
#include <string.h>

#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_script.h"

#define NAMES_MAX 2000 /* of one piece of code; more is reported */

/* Names that compute, read or print, separated by blanks. */
static const char python_names[] =
    " abs all any ascii bin bool bytearray bytes chr complex dict divmod "
    "enumerate filter float format frozenset hash hex id int isinstance "
    "issubclass iter len list map max min next object oct open ord pow print "
    "range repr reversed round set slice sorted str sum super tuple type zip "
    "if elif else while for in is not and or return yield lambda print assert "
    "with as except raise del async await import from None True False self "
    "Exception ValueError KeyError TypeError OSError StopIteration "
    /* modules */
    "sys json math re datetime time collections itertools functools operator "
    "random string base64 hashlib hmac binascii struct statistics decimal "
    "fractions textwrap pprint uuid platform csv ast urllib parse html "
    "unicodedata locale calendar difflib fnmatch glob os path posixpath "
    "codecs secrets copy types typing enum dataclasses bisect heapq array "
    "numbers cmath io sysconfig site zlib ipaddress colorsys keyword token "
    "tokenize inspect traceback shlex getpass pathlib Path PurePath stat "
    "subprocess shutil socket request requests tomllib yaml numpy np pandas "
    "pd xml etree ElementTree ET string tempfile mkdtemp mkstemp "
    /* their functions, and methods of what they give */
    "version version_info argv stdin stdout stderr executable maxsize "
    "platform path modules exit byteorder getsizeof flush read readline "
    "readlines write writelines buffer load loads dump dumps sqrt floor ceil "
    "log log2 log10 exp sin cos tan pi e inf nan gcd factorial comb perm "
    "isclose prod search match fullmatch findall finditer sub subn split "
    "compile escape group groups groupdict start end span I M S X IGNORECASE "
    "MULTILINE DOTALL date today now utcnow timedelta isoformat strftime "
    "strptime fromisoformat fromtimestamp timestamp total_seconds days "
    "seconds year month day hour minute second weekday isoweekday timezone "
    "utc sleep perf_counter time_ns monotonic localtime gmtime ctime asctime "
    "mktime Counter defaultdict OrderedDict deque namedtuple most_common "
    "elements chain count cycle repeat combinations permutations product "
    "accumulate groupby islice starmap takewhile dropwhile zip_longest "
    "reduce partial lru_cache cache itemgetter attrgetter add mul randint "
    "random choice choices sample shuffle uniform seed gauss randrange "
    "token_hex token_urlsafe token_bytes randbelow ascii_letters "
    "ascii_lowercase ascii_uppercase digits punctuation hexdigits printable "
    "whitespace b64encode b64decode urlsafe_b64encode urlsafe_b64decode "
    "b32encode b32decode b16encode hexlify unhexlify crc32 md5 sha1 sha224 "
    "sha256 sha384 sha512 blake2b new digest hexdigest update pack unpack "
    "calcsize mean median mode stdev variance Decimal Fraction "
    "limit_denominator "
    "fill wrap dedent indent pprint pformat uuid1 uuid3 uuid4 uuid5 hex "
    "system machine node release processor python_version uname reader "
    "DictReader writer DictWriter writerow writerows writeheader fieldnames "
    "parse dump literal_eval urlparse urlsplit urlencode parse_qs parse_qsl "
    "quote quote_plus unquote unquote_plus urljoin netloc scheme query "
    "fragment unescape normalize name category calendar TextCalendar "
    "prmonth prcal isleap monthrange unified_diff ndiff getsize exists isfile "
    "isdir islink join basename dirname splitext abspath realpath relpath "
    "expanduser getmtime getctime getatime listdir scandir walk getcwd getpid "
    "getppid getuid getgid getlogin cpu_count environ get getenv sep linesep "
    "stat lstat st_size st_mtime st_mode nt is_file is_dir is_symlink "
    "iterdir rglob read_text read_bytes stem suffix suffixes parent parents "
    "parts resolve home cwd as_posix with_suffix relative_to append extend "
    "insert pop clear index sort reverse copy keys values items setdefault "
    "fromkeys union intersection difference symmetric_difference issubset "
    "issuperset discard upper lower title capitalize swapcase casefold strip "
    "lstrip rstrip rsplit splitlines partition rpartition replace translate "
    "maketrans startswith endswith find rfind rindex center ljust rjust "
    "zfill expandtabs encode decode isdigit isalpha isalnum isspace isupper "
    "islower isnumeric isdecimal isidentifier istitle format_map removeprefix "
    "removesuffix bit_length to_bytes from_bytes fromhex conjugate real imag "
    "is_integer as_integer_ratio numerator denominator heappush heappop "
    "heapify nlargest nsmallest bisect_left bisect_right insort StringIO "
    "BytesIO getvalue seek tell fileno isatty ip_address ip_network "
    "ip_interface network_address broadcast_address num_addresses hosts "
    "safe_load which getpreferredencoding getfilesystemencoding "
    "getdefaultencoding get_paths get_path getsitepackages getusersitepackages "
    "path_hooks builtin_module_names implementation hash_info float_info "
    "int_info flags getrecursionlimit setrecursionlimit hexversion api_version "
    "fromstring getroot findtext iter attrib tag text tail gethostname "
    "gethostbyname getaddrinfo getfqdn urlopen text status_code ok json "
    "content headers status reason geturl array mean std reshape shape "
    "read_csv head describe signature getsource format_exc print_exc close "
    "stdout returncode strerror errno getuser disk_usage get_terminal_size "
    "columns lines fsencode fsdecode sched_getaffinity getloadavg urandom "
    "fspath nametoucs decimal ctypes_util find_library __name__ __doc__ "
    "__version__ __file__ __main__ __init__ ";

static const char node_names[] =
    " if while for switch catch function return typeof new await async of in "
    "console log error warn info table dir require process version versions "
    "argv env cwd platform arch pid memoryUsage uptime hrtime exit stdout "
    "stderr stdin write on once end setEncoding cpuUsage release nextTick "
    "JSON parse stringify Math abs ceil floor round max min pow sqrt random "
    "PI E log2 log10 trunc sign cbrt hypot sin cos tan exp Object keys values "
    "entries assign freeze fromEntries is Array isArray from String Number "
    "Boolean Symbol BigInt Date now Promise all allSettled race any resolve "
    "then finally RegExp Map Set WeakMap Error TypeError parseInt parseFloat "
    "isNaN isFinite isInteger isSafeInteger MAX_SAFE_INTEGER toFixed "
    "toPrecision toString toISOString toLocaleString toLocaleDateString "
    "toUTCString toJSON getTime getFullYear getMonth getDate getDay getHours "
    "getMinutes getSeconds UTC map filter reduce reduceRight forEach find "
    "findIndex findLast some every includes indexOf lastIndexOf join split "
    "slice splice push pop shift unshift sort reverse concat flat flatMap fill "
    "copyWithin at length trim trimStart trimEnd padStart padEnd repeat "
    "replace replaceAll match matchAll test search substring substr charAt "
    "charCodeAt codePointAt fromCharCode fromCodePoint toUpperCase toLowerCase "
    "startsWith endsWith normalize localeCompare get set has add size "
    "encodeURIComponent decodeURIComponent encodeURI decodeURI btoa atob "
    "Buffer alloc byteLength compare readFileSync readFile existsSync "
    "readdirSync readdir statSync stat lstatSync realpathSync accessSync "
    "readlinkSync createReadStream isFile isDirectory isSymbolicLink mtime "
    "promises fs os path util crypto url zlib cpus totalmem freemem hostname "
    "type loadavg networkInterfaces tmpdir homedir userInfo EOL endianness "
    "basename dirname extname relative isAbsolute sep inspect format "
    "promisify createHash createHmac update digest randomBytes randomUUID "
    "randomInt getHashes getCiphers URL URLSearchParams searchParams href "
    "host pathname protocol origin gzipSync gunzipSync deflateSync "
    "inflateSync setTimeout setInterval setImmediate clearTimeout "
    "clearInterval Intl NumberFormat DateTimeFormat structuredClone "
    "performance undefined null true false node v8 code message stack model "
    "speed exports config variables default target_defaults resolvedOptions "
    "timeZone fetch json text ok status headers body title name id value "
    "data description features delete clear mkdtemp Uint8Array Int32Array "
    "Float64Array "
    "TextDecoder TextEncoder decode encode ";

static const char ruby_names[] =
    " puts print p pp printf sprintf format gets lines chars bytes split join "
    "map each each_with_index each_line each_char each_slice each_cons "
    "with_index select reject reduce inject sum min max minmax min_by max_by "
    "sort sort_by reverse uniq flatten compact zip take drop take_while "
    "drop_while first last size length count empty any all none one include "
    "index find detect group_by partition tally each_with_object times upto "
    "downto step to_i to_f to_s to_a to_h to_sym to_r to_c inspect upcase "
    "downcase capitalize swapcase strip lstrip rstrip chomp chop chars sub "
    "gsub tr squeeze scan match start_with end_with ljust rjust center hex "
    "oct ord chr succ next pred even odd zero positive negative abs round "
    "floor ceil truncate divmod gcd lcm digits pow sqrt now today strftime "
    "year month day hour min sec wday yday utc parse iso8601 keys values key "
    "value has_key fetch dig merge transform_values sort_by to_proc call new "
    "read readlines foreach exist exists file directory basename dirname "
    "extname expand_path glob entries children mtime size stat join pwd "
    "home hexdigest base64digest digest encode64 decode64 strict_encode64 "
    "strict_decode64 urlsafe_encode64 uuid random_number rand srand sample "
    "shuffle freeze dup clone nil is_a kind_of respond_to class name encode "
    "force_encoding encoding unpack unpack1 pack bytes bytesize each_byte "
    "pretty_generate generate dump load_file safe_load version platform "
    "stdin stdout stderr argv env sync flush write puts print then tap lazy "
    "cycle chunk_while slice_when permutation combination product transpose "
    "rotate values_at delete_if push pop shift unshift append prepend insert "
    "concat slice at get fdiv infinite nan Integer Float String Array Hash ";

static const char php_names[] =
    " if elseif while for foreach switch match function fn return array list "
    "isset empty unset echo print and or xor catch exit die strlen count "
    "sizeof implode explode join str_replace substr strpos strrpos stripos "
    "strstr strtolower strtoupper ucfirst ucwords lcfirst trim ltrim rtrim "
    "nl2br printf sprintf number_format print_r var_dump var_export "
    "json_encode json_decode date time mktime strtotime microtime gmdate "
    "checkdate abs ceil floor round max min pow sqrt rand mt_rand random_int "
    "random_bytes intdiv fmod pi log exp is_array is_string is_int is_numeric "
    "is_null is_bool intval floatval strval boolval gettype md5 sha1 crc32 "
    "hash hash_algos base64_encode base64_decode bin2hex hex2bin urlencode "
    "urldecode rawurlencode rawurldecode http_build_query parse_url parse_str "
    "htmlspecialchars html_entity_decode strip_tags addslashes in_array "
    "array_keys array_values array_merge array_sum array_product array_unique "
    "array_reverse array_slice array_combine array_fill array_flip "
    "array_column array_diff array_intersect array_key_exists array_push "
    "array_pop array_shift array_search range sort rsort asort ksort shuffle "
    "array_rand str_repeat str_pad str_split str_contains str_starts_with "
    "str_ends_with strrev strcmp strcasecmp ucwords wordwrap chunk_split "
    "similar_text levenshtein soundex metaphone preg_match preg_match_all "
    "preg_split preg_quote file_get_contents file fgets fgetcsv fread feof "
    "fclose readfile file_exists is_file is_dir is_readable filesize "
    "filemtime basename dirname pathinfo realpath scandir glob getcwd "
    "phpversion phpinfo php_uname php_sapi_name php_ini_loaded_file "
    "get_loaded_extensions extension_loaded ini_get getenv memory_get_usage "
    "sys_get_temp_dir uniqid password_hash password_verify serialize "
    "mb_strlen mb_substr mb_strtoupper mb_strtolower iconv utf8_encode "
    "dechex hexdec bindec decbin octdec decoct base_convert ctype_digit "
    "ctype_alpha version_compare function_exists class_exists "
    "stream_get_contents "
    "openssl_get_cipher_methods timezone_identifiers_list "
    "date_default_timezone_get "
    "DateTime DateTimeImmutable DateInterval stdClass ";

static bool
spaced_list_has(const char *list, const char *word, size_t n)
{
    for (const char *s = list; (s = strchr(s, word[0])); s++)
        if (s[-1] == ' ' && strncmp(s, word, n) == 0 && s[n] == ' ')
            return true;
    return false;
}

/* Whether a row of the table contains the whole name, with the same text in
 * front of it as here. */
static bool
row_has_name(const struct risk_script *c, const char *row, size_t at, size_t n)
{
    const char *word = c->blank + at;

    for (size_t k = 0; row[k]; k++)
        if (strncmp(row + k, word, n) == 0 &&
            !risk_script_is_name_char(row[k + n]) &&
            (k == 0 || !risk_script_is_name_char(row[k - 1])) && k <= at &&
            strncmp(word - k, row, k) == 0)
            return true;
    return false;
}

/* Whether the table of calls has the name: it was applied already. */
static bool
table_has_name(const struct risk_script *c, size_t at, size_t n)
{
    const struct risk_script_call *row;

    for (size_t i = 0; (row = risk_script_call(i)); i++)
        if (row->languages & c->language->flag &&
            row_has_name(c, row->word, at, n))
            return true;
    return false;
}

/* Occurrences of a name that are checked: a definition precedes its uses. */
#define DEFINED_PLACES 16

/* Whether the code defines it: def f(, function f(, f = lambda, f = x => … */
static bool
is_name_defined(const struct risk_script *c, const char *word, size_t n)
{
    const char *s = c->blank;

    for (int i = 0; i < DEFINED_PLACES && (s = strstr(s, word)); i++, s += n) {
        const char *after = s + n + strspn(s + n, " ");

        if (risk_script_is_name_char(s[n]) ||
            (s > c->blank && risk_script_is_name_char(s[-1])))
            continue;
        if ((s >= c->blank + 4 && strncmp(s - 4, "def ", 4) == 0) ||
            (s >= c->blank + 9 && strncmp(s - 9, "function ", 9) == 0) ||
            (s >= c->blank + 6 && strncmp(s - 6, "class ", 6) == 0))
            return true;
        if (after[0] == '=' &&
            (after[1] == '>' ||
             strncmp(after + 1 + strspn(after + 1, " "), "lambda", 6) == 0 ||
             strstr(after, "=>")))
            return true;
    }
    return false;
}

/* Whether the name is imported: a, b in `import a, b as c`; not c. */
static bool
is_imported(const struct risk_script *c, size_t at)
{
    size_t from = at;

    while (from > 0 && !strchr(";\n:", c->blank[from - 1]))
        from--;
    from += strspn(c->blank + from, " \t");
    if (at >= 3 && strncmp(c->blank + at - 3, "as ", 3) == 0)
        return false;
    return strncmp(c->blank + from, "import ", 7) == 0 ||
           strncmp(c->blank + from, "from ", 5) == 0;
}

/* Whether harmful modules are imported under another name, or all names of
 * one at once. */
static bool
hides_module(const struct risk_script *c)
{
    static const char *const forms[] = {
        "import *",     "os as ",        "shutil as ", "subprocess as ",
        "pathlib as ",  "socket as ",    "= os;",      "=os;",
        "=os\n",        "= os\n",        "=shutil;",   "= shutil;",
        "=subprocess;", "= subprocess;", NULL};

    for (const char *const *f = forms; *f; f++)
        if (strstr(c->blank, *f))
            return true;
    return false;
}

/* Names that make a function from a text, or give one another name. */
static bool
is_function_maker(const struct risk_script *c, const char *word)
{
    static const char python_ones[] =
        " eval exec compile getattr setattr delattr globals locals vars open "
        "breakpoint input memoryview ";
    static const char node_ones[] = " eval Function globalThis global Reflect "
                                    "Proxy module exports ";

    return spaced_list_has(c->language->flag == SCRIPT_PYTHON ? python_ones
                                                              : node_ones,
                           word, strlen(word));
}

static const char *
harmless_names_of(const struct risk_script *c)
{
    switch (c->language->flag) {
    case SCRIPT_PYTHON:
        return python_names;
    case SCRIPT_NODE:
        return node_names;
    case SCRIPT_RUBY:
        return ruby_names;
    case SCRIPT_PHP:
        return php_names;
    default:
        return NULL;
    }
}

static bool
is_unknown(const struct risk_script *c, size_t at, size_t n)
{
    const char *word = risk_copy(c->st, c->blank + at, n);
    const char *after = c->blank + at + n + strspn(c->blank + at + n, " ?!");
    char before = at > 0 ? c->blank[at - 1] : ' ';
    unsigned language = c->language->flag;
    bool called = *after == '(';
    bool taken = before == '.' && (at < 2 || c->blank[at - 2] != '.');

    if (!word || !word[0])
        return true; /* no memory */
    if (before == '$' && language == SCRIPT_PHP)
        return called; /* $f() calls what the text in it names */
    if (word[0] >= '0' && word[0] <= '9')
        return false;
    if (language == SCRIPT_PHP && (before == '>' || before == ':'))
        return false;
    if (language == SCRIPT_RUBY && !taken)
        return false;
    if (language == SCRIPT_PYTHON && strncmp(word, "__", 2) == 0 &&
        !spaced_list_has(python_names, word, n))
        return true;
    if (!taken && !called && !(language == SCRIPT_PYTHON && is_imported(c, at)))
        return language != SCRIPT_PHP && is_function_maker(c, word) &&
               *after != '=';
    if (spaced_list_has(harmless_names_of(c), word, n) ||
        table_has_name(c, at, n))
        return false;
    return !is_name_defined(c, word, n);
}

/* Whether an element or the result of a call is called in turn. */
static bool
calls_value(const struct risk_script *c)
{
    static const char *const holders[] = {
        "fs", "process", "require", "global", "import", "this", NULL};

    if (c->language->flag == SCRIPT_PYTHON)
        return strstr(c->blank, "](") || strstr(c->blank, ")(");
    for (const char *const *h = holders; *h; h++)
        if (c->language->flag == SCRIPT_NODE && strstr(c->blank, *h))
            return strstr(c->blank, "](");
    return false;
}

/* perl: eval of a text, and a function called by a name in a text. */
static bool
evaluates_text(const struct risk_script *c)
{
    static const char *const forms[] = {"&$",   "&{",     "->$",     "*{",
                                        "do $", "CORE::", "syscall", NULL};

    for (const char *const *f = forms; *f; f++)
        if (strstr(c->blank, *f))
            return true;
    for (const char *s = c->blank; (s = strstr(s, "eval")); s += 4)
        if ((s == c->blank ||
             !(risk_script_is_name_char(s[-1]) || strchr("$@%", s[-1]))) &&
            !risk_script_is_name_char(s[4]) &&
            s[4 + strspn(s + 4, " \t\n")] != '{')
            return true;
    return false;
}

void
risk_script_check_names(struct risk_script *c)
{
    bool unknown = calls_value(c);
    size_t names = 0;

    if (c->language->flag == SCRIPT_PYTHON)
        unknown = unknown || hides_module(c);
    if (c->language->flag == SCRIPT_PERL)
        unknown = evaluates_text(c);
    for (size_t i = 0; harmless_names_of(c) && c->blank[i] && !unknown;) {
        size_t n = 0;

        while (risk_script_is_name_char(c->blank[i + n]))
            n++;
        if (n)
            unknown = ++names > NAMES_MAX || is_unknown(c, i, n);
        i += n ? n : 1;
    }
    if (unknown)
        risk_report_unread(c->st, c->arg->from, c->arg->to,
                           "cannot tell what this code calls");
}
