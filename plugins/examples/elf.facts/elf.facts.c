/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elf.facts.c - an example of a plugin in C: what is in an ELF header.
 *
 * Of the form "words": the action is the one argument, and the list "paths"
 * comes as a variable with a line for each. No library is needed. */
#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENTS_MAX 1024 /* of a file; more are none of a program's */
#define INTERP_MAX   256

/* Exit statuses, as agentsh-plugin(7) has them under WORDS. */
enum {
    DONE = 0,
    FAILED = 1,
    INVALID_ARGS = 2,
    NOT_FOUND = 3,
    PERMISSION_DENIED = 4,
    PARSE_ERROR = 5,
};

static const struct name_row {
    unsigned value;
    const char *name;
} machines[] =
    {
        {EM_386, "Intel 80386"}, {EM_X86_64, "x86-64"},
        {EM_ARM, "ARM"},         {EM_AARCH64, "AArch64"},
        {EM_RISCV, "RISC-V"},    {EM_PPC64, "PowerPC 64"},
        {EM_S390, "S/390"},      {0, NULL},
},
  kinds[] = {
      {ET_REL, "object to be linked"},
      {ET_EXEC, "program at a fixed address"},
      {ET_DYN, "library, or program at any address"},
      {ET_CORE, "memory of a program that crashed"},
      {0, NULL},
};

static const char *
name_of(const struct name_row *rows, unsigned value)
{
    for (; rows->name; rows++) {
        if (rows->value == value)
            return rows->name;
    }
    return "unknown";
}

/* A file whose numbers are read in its own byte order. */
struct elf {
    FILE *file;
    int wide; /* 64-bit */
    int big;  /* most significant byte first */
};

/* n bytes at an offset as a number; 0 where the file ends before. */
static uint64_t
number_at(const struct elf *e, uint64_t offset, int n)
{
    unsigned char bytes[8];
    uint64_t v = 0;

    if (offset > INT32_MAX || fseek(e->file, (long)offset, SEEK_SET) != 0 ||
        fread(bytes, 1, (size_t)n, e->file) != (size_t)n)
        return 0;
    for (int i = 0; i < n; i++)
        v = v << 8 | bytes[e->big ? i : n - 1 - i];
    return v;
}

/* The program that starts it, which a segment names. */
static void
tell_interpreter(const struct elf *e)
{
    uint64_t table = number_at(e, e->wide ? 32 : 28, e->wide ? 8 : 4);
    uint64_t size = number_at(e, e->wide ? 54 : 42, 2);
    uint64_t n = number_at(e, e->wide ? 56 : 44, 2);
    char text[INTERP_MAX];

    for (uint64_t i = 0; i < n && i < SEGMENTS_MAX; i++) {
        uint64_t at = table + i * size;
        uint64_t from;

        if (number_at(e, at, 4) != PT_INTERP)
            continue;
        from = number_at(e, at + (e->wide ? 8 : 4), e->wide ? 8 : 4);
        if (from <= INT32_MAX && fseek(e->file, (long)from, SEEK_SET) == 0 &&
            fgets(text, sizeof(text), e->file))
            printf("  interpreter %s\n", text);
        return;
    }
}

static int
tell(const char *path, FILE *file)
{
    unsigned char ident[EI_NIDENT];
    struct elf e = {.file = file};

    if (fread(ident, 1, sizeof(ident), file) != sizeof(ident) ||
        memcmp(ident, ELFMAG, SELFMAG) != 0) {
        fprintf(stderr, "%s: is no ELF file\n", path);
        return PARSE_ERROR;
    }
    e.wide = ident[EI_CLASS] == ELFCLASS64;
    e.big = ident[EI_DATA] == ELFDATA2MSB;
    printf("%s\n", path);
    printf("  kind        %s\n",
           name_of(kinds, (unsigned)number_at(&e, 16, 2)));
    printf("  machine     %s, %d-bit, %s-endian\n",
           name_of(machines, (unsigned)number_at(&e, 18, 2)), e.wide ? 64 : 32,
           e.big ? "big" : "little");
    printf("  entry       0x%llx\n",
           (unsigned long long)number_at(&e, 24, e.wide ? 8 : 4));
    tell_interpreter(&e);
    return DONE;
}

static int
header(const char *path)
{
    FILE *file = fopen(path, "re");
    int status;

    if (file) {
        status = tell(path, file);
        fclose(file);
        return status;
    }
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return errno == ENOENT   ? NOT_FOUND
           : errno == EACCES ? PERMISSION_DENIED
                             : FAILED;
}

/* Each line of the variable; the first that fails ends it. */
static int
headers(char *paths)
{
    int status = DONE;

    while (status == DONE && *paths) {
        size_t n = strcspn(paths, "\n");
        char *next = paths + n + (paths[n] == '\n');

        paths[n] = '\0';
        status = header(paths);
        paths = next;
    }
    return status;
}

int
main(int argc, char **argv)
{
    char *paths = getenv("AGENTSH_ARG_PATHS");

    if (argc != 2 || strcmp(argv[1], "header") != 0 || !paths)
        return INVALID_ARGS;
    return headers(paths);
}
