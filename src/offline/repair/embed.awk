# SPDX-License-Identifier: GPL-3.0-or-later
# embed.awk - the rules as one C string, a literal a line.
BEGIN {
    print "/* Made by embed.awk from rules/. */"
    print "#include \"offline/repair/repair.h\"\n"
    print "const char *\nrepair_rules_text(void)\n{\n    return \"\""
}
{
    gsub(/\\/, "&&"); gsub(/"/, "\\\""); gsub(/\?/, "\\?")
    printf "        \"%s\\n\"\n", $0
}
END { print "        ;\n}" }
