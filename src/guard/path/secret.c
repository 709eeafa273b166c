/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret.c - what opens doors, and what others will run. */
#include "guard/path/secret.h"

#include <string.h>

#include "base/path.h"
#include "base/secret_file.h"
#include "guard/path/path_table.h"

/* Below a home directory or a copy of one. */
static const char *const places[] = {".age",
                                     ".aliyun",
                                     ".ansible/galaxy_token",
                                     ".authinfo",
                                     ".authinfo.enc",
                                     ".authinfo.gpg",
                                     ".aws",
                                     ".azure",
                                     ".bitcoin",
                                     ".boto",
                                     ".cache/huggingface/token",
                                     ".cargo/credentials",
                                     ".cargo/credentials.toml",
                                     ".cassandra",
                                     ".chef",
                                     ".circleci",
                                     ".claude.json",
                                     ".claude/.credentials.json",
                                     ".codex/auth.json",
                                     ".composer/auth.json",
                                     ".condarc",
                                     ".config/1Password",
                                     ".config/Bitwarden",
                                     ".config/BraveSoftware",
                                     ".config/Signal",
                                     ".config/Slack",
                                     ".config/agentsh",
                                     ".config/chromium",
                                     ".config/containers/auth.json",
                                     ".config/discord",
                                     ".config/doctl",
                                     ".config/filezilla",
                                     ".config/gcloud",
                                     ".config/gh",
                                     ".config/git/credentials",
                                     ".config/glab-cli",
                                     ".config/google-chrome",
                                     ".config/hcloud",
                                     ".config/heroku",
                                     ".config/hub",
                                     ".config/keepassxc",
                                     ".config/microsoft-edge",
                                     ".config/msmtp",
                                     ".config/mutt",
                                     ".config/ngrok",
                                     ".config/op",
                                     ".config/opera",
                                     ".config/rclone",
                                     ".config/scw",
                                     ".config/solana",
                                     ".config/sops",
                                     ".config/stripe",
                                     ".config/syncthing",
                                     ".config/vivaldi",
                                     ".config/weechat",
                                     ".consul-token",
                                     ".databrickscfg",
                                     ".docker/config.json",
                                     ".dockercfg",
                                     ".electrum",
                                     ".ethereum",
                                     ".fetchmailrc",
                                     ".fly",
                                     ".gem/credentials",
                                     ".gemini/oauth_creds.json",
                                     ".git-credentials",
                                     ".gnupg",
                                     ".huggingface",
                                     ".irssi",
                                     ".kaggle",
                                     ".kube",
                                     ".librewolf",
                                     ".local/share/TelegramDesktop",
                                     ".local/share/agentsh",
                                     ".local/share/com.vercel.cli",
                                     ".local/share/evolution",
                                     ".local/share/keyrings",
                                     ".local/share/kwalletd",
                                     ".local/state/agentsh",
                                     ".m2/settings-security.xml",
                                     ".m2/settings.xml",
                                     ".mbsyncrc",
                                     ".minikube",
                                     ".monero",
                                     ".mozilla",
                                     ".msmtprc",
                                     ".muttrc",
                                     ".my.cnf",
                                     ".mylogin.cnf",
                                     ".near-credentials",
                                     ".netrc",
                                     ".nomad-token",
                                     ".npmrc",
                                     ".oci",
                                     ".openvpn",
                                     ".ovh.conf",
                                     ".password-store",
                                     ".pgpass",
                                     ".pki",
                                     ".pulumi",
                                     ".purple",
                                     ".putty",
                                     ".pypirc",
                                     ".rancher",
                                     ".remmina",
                                     ".s3cfg",
                                     ".sentryclirc",
                                     ".smbcredentials",
                                     ".snowflake",
                                     ".snowsql",
                                     ".ssh",
                                     ".supabase",
                                     ".terraform.d/credentials.tfrc.json",
                                     ".terraformrc",
                                     ".thunderbird",
                                     ".twilio-cli",
                                     ".var/app/org.mozilla.firefox",
                                     ".vault-token",
                                     ".vault_pass",
                                     ".vnc",
                                     ".weechat",
                                     ".wireguard",
                                     ".yarnrc.yml",
                                     "snap/chromium",
                                     "snap/firefox",
                                     "snap/thunderbird",
                                     NULL};

/* Below a home directory, and what lies below each. */
static const char *const harmless[] = {".Xdefaults",
                                       ".Xresources",
                                       ".asdf/installs",
                                       ".asdf/shims",
                                       ".bash_aliases",
                                       ".bash_login",
                                       ".bash_logout",
                                       ".bash_profile",
                                       ".bashrc",
                                       ".bun/bin",
                                       ".cargo/bin",
                                       ".cargo/env",
                                       ".cargo/registry",
                                       ".clang-format",
                                       ".clang-tidy",
                                       ".config/alacritty",
                                       ".config/autostart",
                                       ".config/bat",
                                       ".config/bspwm",
                                       ".config/btop",
                                       ".config/clangd",
                                       ".config/dunst",
                                       ".config/environment.d",
                                       ".config/fastfetch",
                                       ".config/fd",
                                       ".config/fish/completions",
                                       ".config/fish/conf.d",
                                       ".config/fish/config.fish",
                                       ".config/fish/functions",
                                       ".config/flake8",
                                       ".config/fontconfig",
                                       ".config/foot",
                                       ".config/git/attributes",
                                       ".config/git/config",
                                       ".config/git/ignore",
                                       ".config/gtk-3.0",
                                       ".config/gtk-4.0",
                                       ".config/helix",
                                       ".config/htop",
                                       ".config/hypr",
                                       ".config/i3",
                                       ".config/i3status",
                                       ".config/kitty",
                                       ".config/lf",
                                       ".config/locale.conf",
                                       ".config/mimeapps.list",
                                       ".config/mpv",
                                       ".config/neofetch",
                                       ".config/nvim",
                                       ".config/picom",
                                       ".config/picom.conf",
                                       ".config/polybar",
                                       ".config/ranger",
                                       ".config/ripgrep",
                                       ".config/rofi",
                                       ".config/starship.toml",
                                       ".config/sway",
                                       ".config/sxhkd",
                                       ".config/systemd/user",
                                       ".config/tmux",
                                       ".config/user-dirs.dirs",
                                       ".config/user-dirs.locale",
                                       ".config/vim",
                                       ".config/waybar",
                                       ".config/wezterm",
                                       ".config/yazi",
                                       ".config/zathura",
                                       ".ctags",
                                       ".deno/bin",
                                       ".dircolors",
                                       ".dotnet/tools",
                                       ".editorconfig",
                                       ".emacs",
                                       ".emacs.d/early-init.el",
                                       ".emacs.d/init.el",
                                       ".eslintrc",
                                       ".eslintrc.json",
                                       ".face",
                                       ".face.icon",
                                       ".fdignore",
                                       ".flake8",
                                       ".fonts",
                                       ".gdbinit",
                                       ".gem/ruby",
                                       ".ghcup/bin",
                                       ".gitattributes",
                                       ".gitconfig",
                                       ".gitignore",
                                       ".gitignore_global",
                                       ".gtkrc-2.0",
                                       ".gvimrc",
                                       ".hushlogin",
                                       ".icons",
                                       ".ideavimrc",
                                       ".ignore",
                                       ".inputrc",
                                       ".juliaup/bin",
                                       ".krew/bin",
                                       ".lldbinit",
                                       ".local/bin",
                                       ".local/lib",
                                       ".local/share/Trash",
                                       ".local/share/applications",
                                       ".local/share/bash-completion",
                                       ".local/share/fonts",
                                       ".local/share/icons",
                                       ".local/share/man",
                                       ".local/share/mime",
                                       ".local/share/nvim",
                                       ".local/share/pipx",
                                       ".local/share/themes",
                                       ".local/share/uv",
                                       ".local/share/zsh",
                                       ".login_conf",
                                       ".luacheckrc",
                                       ".mailcap",
                                       ".mime.types",
                                       ".nanorc",
                                       ".nix-profile",
                                       ".node-version",
                                       ".npm-global",
                                       ".npm-packages",
                                       ".nvm",
                                       ".nvmrc",
                                       ".oh-my-zsh",
                                       ".opam",
                                       ".p10k.zsh",
                                       ".prettierrc",
                                       ".profile",
                                       ".pycodestyle",
                                       ".pyenv",
                                       ".pylintrc",
                                       ".python-version",
                                       ".rbenv",
                                       ".rgignore",
                                       ".ripgreprc",
                                       ".ruby-version",
                                       ".rustfmt.toml",
                                       ".rustup",
                                       ".screenrc",
                                       ".sdkman/candidates",
                                       ".selected_editor",
                                       ".sudo_as_admin_successful",
                                       ".themes",
                                       ".tmux",
                                       ".tmux.conf",
                                       ".tool-versions",
                                       ".vim",
                                       ".vimrc",
                                       ".volta/bin",
                                       ".xinitrc",
                                       ".xprofile",
                                       ".xsession",
                                       ".zlogin",
                                       ".zlogout",
                                       ".zprofile",
                                       ".zshenv",
                                       ".zshrc",
                                       NULL};

/* root may read these, a sandbox or not. */
static const char *const system_places[] = {"/etc/gshadow",
                                            "/etc/gshadow-",
                                            "/etc/shadow",
                                            "/etc/shadow-",
                                            "/etc/ssl/private",
                                            "/etc/ssh/ssh_host_ecdsa_key",
                                            "/etc/ssh/ssh_host_ed25519_key",
                                            "/etc/ssh/ssh_host_rsa_key",
                                            "/etc/sudoers",
                                            "/etc/sudoers.d",
                                            NULL};

const char *const *
secret_places(void)
{
    return places;
}

const char *const *
secret_system_places(void)
{
    return system_places;
}

const char *const *
secret_harmless(void)
{
    return harmless;
}

bool
secret_is_in_place(const char *path)
{
    if (path[0] != '.' && !strstr(path, "/.") && !path_contains(path, "snap"))
        return false;
    for (const char *const *place = places; *place; place++)
        if (path_contains(path, *place))
            return true;
    return false;
}

bool
secret_is_known(const char *path)
{
    return secret_file_is(path) || secret_is_in_place(path);
}

enum secret_share
secret_share_of(const char *name)
{
    enum secret_share share = SECRET_ALL;

    if (name[0] != '.' && !path_is_below(name, "snap"))
        return SECRET_NONE;
    for (const char *const *row = harmless; *row; row++) {
        if ((*row)[1] != name[1]) /* it is asked of each entry of a home */
            continue;
        if (path_is_below(name, *row))
            return SECRET_NONE;
        if (path_is_below(*row, name))
            share = SECRET_PART;
    }
    return share;
}

/* What follows dir in a path below it; NULL: it is not below, or dir itself. */
static const char *
behind(const char *path, const char *dir)
{
    const char *rest;

    if (!dir || !dir[0] || !dir[1] || !path_is_below(path, dir))
        return NULL;
    rest = path + strlen(dir);
    rest += strspn(rest, "/");
    return *rest ? rest : NULL;
}

/* What follows somebody's home directory in a path; NULL: none. */
const char *
secret_behind_home(const char *path, const char *home)
{
    const char *rest, *row;
    size_t at = 0;

    if (home && home[0] && home[1] && path_is_below(path, home))
        return behind(path, home);
    while ((row = path_next(PATH_IS_HOMES, &at))) {
        if (!(rest = behind(path, row)))
            continue;
        rest += strcspn(rest, "/");
        return *rest ? rest + 1 : NULL;
    }
    at = 0;
    while ((row = path_next(PATH_IS_CLOSED, &at)))
        if ((rest = behind(path, row)))
            return rest;
    return NULL;
}

static bool
is_opened(const char *path, const struct risk_place *where)
{
    if (!where)
        return false;
    for (const char *const *n = where->named; n && *n; n++)
        if (path_is_below(path, *n))
            return true;
    return where->workspace && where->workspace[0] &&
           path_is_below(path, where->workspace) &&
           !(where->home && path_is_below(where->home, where->workspace));
}

bool
secret_is_path(const char *path, const struct risk_place *where)
{
    const char *home = where ? where->home : NULL, *rest;

    if (secret_is_known(path))
        return true;
    if (path[0] == '~' && path[1] == '/')
        rest = path + 2;
    else
        rest = secret_behind_home(path, home);
    return rest && secret_share_of(rest) != SECRET_NONE &&
           !is_opened(path, where);
}

bool
secret_is_key_of(const char *path, const char *home)
{
    const struct risk_place where = {.home = home};

    return home && path_is_below(path, home) && secret_is_path(path, &where);
}

bool
secret_is_key(const char *path)
{
    const char *base = strrchr(path, '/');

    return secret_file_is_key(base ? base + 1 : path) ||
           secret_is_in_place(path);
}

/* Settings, start-up files and hooks begin with a dot: there are too many
 * programs to list their names. */
bool
secret_runs_later(const char *path)
{
    if (path_contains(path, "authorized_keys"))
        return true;
    while (*path) {
        size_t len = strcspn(path, "/");
        bool here = len == 1 || (len == 2 && path[1] == '.');

        if (path[0] == '.' && !here)
            return true;
        path += len;
        path += strspn(path, "/");
    }
    return false;
}
