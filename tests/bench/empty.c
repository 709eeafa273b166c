/* SPDX-License-Identifier: GPL-3.0-or-later */
/* empty.c - the least that a program can do. */
int
main(void)
{
    return 0;
}
