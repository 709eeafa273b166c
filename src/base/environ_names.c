/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ_names.c - which environment variables a command receives. */
#include "base/environ_names.h"

#include <string.h>
#include <strings.h>

#include "base/array.h"

/* A row that ends in "_" stands for all names with that prefix. */
static const char *const plain_names[] = {
    /* user and directories */
    "HOME",
    "HOSTNAME",
    "LOGNAME",
    "PATH",
    "PWD",
    "SHELL",
    "USER",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    /* terminal, language, preferences */
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORFGBG",
    "COLORTERM",
    "COLUMNS",
    "EDITOR",
    "FORCE_COLOR",
    "GREP_COLORS",
    "INFOPATH",
    "LANG",
    "LANGUAGE",
    "LC_",
    "LESS",
    "LESSCHARSET",
    "LINES",
    "LS_COLORS",
    "MANPAGER",
    "MANPATH",
    "MANWIDTH",
    "NO_COLOR",
    "PAGER",
    "TERM",
    "TERMINFO",
    "TERMINFO_DIRS",
    "TIME_STYLE",
    "TZ",
    "VISUAL",
    /* C and its like */
    "ACLOCAL_PATH",
    "AR",
    "ARCH",
    "ARFLAGS",
    "AS",
    "ASAN_OPTIONS",
    "CC",
    "CCACHE_",
    "CFLAGS",
    "CMAKE_",
    "CPATH",
    "CPP",
    "CPPFLAGS",
    "CROSS_COMPILE",
    "CXX",
    "CXXFLAGS",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "DEB_",
    "DESTDIR",
    "FC",
    "FFLAGS",
    "GCC_COLORS",
    "LD",
    "LDFLAGS",
    "LDLIBS",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "LIBS",
    "MAKEFLAGS",
    "NM",
    "OBJCOPY",
    "OBJDUMP",
    "PKG_CONFIG",
    "PKG_CONFIG_LIBDIR",
    "PKG_CONFIG_PATH",
    "PREFIX",
    "RANLIB",
    "SOURCE_DATE_EPOCH",
    "STRIP",
    "TSAN_OPTIONS",
    "UBSAN_OPTIONS",
    /* other languages */
    "ANDROID_HOME",
    "BUNDLE_GEMFILE",
    "BUNDLE_PATH",
    "CARGO_",
    "CGO_",
    "CONDA_",
    "DEBIAN_FRONTEND",
    "DOTNET_",
    "GEM_HOME",
    "GEM_PATH",
    "GHCUP_",
    "GO111MODULE",
    "GOARCH",
    "GOCACHE",
    "GOFLAGS",
    "GOOS",
    "GOPATH",
    "GOPROXY",
    "GOROOT",
    "GOTOOLCHAIN",
    "GRADLE_OPTS",
    "GRADLE_USER_HOME",
    "JAVA_HOME",
    "JAVA_TOOL_OPTIONS",
    "MAVEN_OPTS",
    "NODE_ENV",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NVM_DIR",
    "PERL5LIB",
    "PIP_",
    "PYENV_ROOT",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONHOME",
    "PYTHONIOENCODING",
    "PYTHONPATH",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "PYTHONWARNINGS",
    "RUBYLIB",
    "RUSTC_WRAPPER",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
    "RUSTUP_",
    "RUST_",
    "VIRTUAL_ENV",
    "npm_config_",
    /* git and certificates */
    "CI",
    "CURL_CA_BUNDLE",
    "EMAIL",
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_EDITOR",
    "GIT_PAGER",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
};

static const char *const proxies[] = {
    "ALL_PROXY", "FTP_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY",
};

/* Startup files, options and functions of bash (bash(1)). */
static const char *const shell_names[] = {
    "BASH_ENV", "ENV", "BASH_FUNC_",     "SHELLOPTS",
    "BASHOPTS", "PS4", "PROMPT_COMMAND",
};

static bool
row_names_it(const char *const *rows, size_t n_rows, const char *name, size_t n)
{
    for (size_t i = 0; i < n_rows; i++) {
        const char *row = rows[i];
        size_t len = row[0] == name[0] ? strlen(row) : 0;

        if (len > 0 && (row[len - 1] == '_' ? n > len : n == len) &&
            memcmp(name, row, len) == 0)
            return true;
    }
    return false;
}

bool
environ_names_is_plain(const char *name, size_t n)
{
    return row_names_it(plain_names, ARRAY_SIZE(plain_names), name, n);
}

bool
environ_names_is_proxy(const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(proxies); i++) {
        if (strlen(proxies[i]) == n && strncasecmp(proxies[i], name, n) == 0)
            return true;
    }
    return false;
}

bool
environ_names_steers_shell(const char *name, size_t n)
{
    return row_names_it(shell_names, ARRAY_SIZE(shell_names), name, n);
}

const struct environ_cache *
environ_names_caches(void)
{
    static const struct environ_cache rows[] = {
        {"XDG_CACHE_HOME", ".cache", "/tmp/.cache"},
        {"CARGO_HOME", ".cargo", "/tmp/.cargo"},
        {"GOPATH", "go", "/tmp/.go"},
        {"GRADLE_USER_HOME", ".gradle", "/tmp/.gradle"},
        {"npm_config_cache", ".npm", "/tmp/.npm"},
        {0},
    };

    return rows;
}
