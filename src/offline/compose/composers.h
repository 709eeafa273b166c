/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composers.h - each family's composer; compose.c has a row for each. */
#ifndef OFFLINE_COMPOSERS_H
#define OFFLINE_COMPOSERS_H

#include "offline/wish/shortlist.h"

int find_compose(const struct request *q, struct shortlist *s, struct err *e);
int archive_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int copy_compose(const struct request *q, struct shortlist *s, struct err *e);
int grep_compose(const struct request *q, struct shortlist *s, struct err *e);
int link_compose(const struct request *q, struct shortlist *s, struct err *e);
int ls_compose(const struct request *q, struct shortlist *s, struct err *e);
int make_compose(const struct request *q, struct shortlist *s, struct err *e);
int columns_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int edit_compose(const struct request *q, struct shortlist *s, struct err *e);
int letters_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int lines_compose(const struct request *q, struct shortlist *s, struct err *e);
int sort_compose(const struct request *q, struct shortlist *s, struct err *e);
int compare_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int rights_compose(const struct request *q, struct shortlist *s, struct err *e);
int usage_compose(const struct request *q, struct shortlist *s, struct err *e);
int pieces_compose(const struct request *q, struct shortlist *s, struct err *e);
int sync_compose(const struct request *q, struct shortlist *s, struct err *e);
int remove_compose(const struct request *q, struct shortlist *s, struct err *e);

#endif
