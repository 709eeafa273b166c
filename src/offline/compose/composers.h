/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composers.h - the composers but find's, for the table. */
#ifndef OFFLINE_COMPOSERS_H
#define OFFLINE_COMPOSERS_H

#include "offline/compose/compose.h"

/* Texts: the lines of files, their columns and their letters. */
int columns_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int compare_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int edit_compose(const struct request *q, struct shortlist *s, struct err *e);
int grep_compose(const struct request *q, struct shortlist *s, struct err *e);
int letters_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int lines_compose(const struct request *q, struct shortlist *s, struct err *e);
int pieces_compose(const struct request *q, struct shortlist *s, struct err *e);
int sort_compose(const struct request *q, struct shortlist *s, struct err *e);

/* Files: what there is of them, and what is done with them. */
int archive_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int copy_compose(const struct request *q, struct shortlist *s, struct err *e);
int link_compose(const struct request *q, struct shortlist *s, struct err *e);
int loops_compose(const struct request *q, struct shortlist *s, struct err *e);
int ls_compose(const struct request *q, struct shortlist *s, struct err *e);
int make_compose(const struct request *q, struct shortlist *s, struct err *e);
int remove_compose(const struct request *q, struct shortlist *s, struct err *e);
int rights_compose(const struct request *q, struct shortlist *s, struct err *e);
int sync_compose(const struct request *q, struct shortlist *s, struct err *e);
int usage_compose(const struct request *q, struct shortlist *s, struct err *e);

/* Systems: what runs, what is reached, what is recorded. */
int git_branch_compose(const struct request *q, struct shortlist *s,
                       struct err *e);
int git_commit_compose(const struct request *q, struct shortlist *s,
                       struct err *e);
int git_log_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int processes_compose(const struct request *q, struct shortlist *s,
                      struct err *e);
int services_compose(const struct request *q, struct shortlist *s,
                     struct err *e);
int media_compose(const struct request *q, struct shortlist *s, struct err *e);
int picture_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int containers_compose(const struct request *q, struct shortlist *s,
                       struct err *e);
int fetch_compose(const struct request *q, struct shortlist *s, struct err *e);
int sockets_compose(const struct request *q, struct shortlist *s,
                    struct err *e);
int remote_compose(const struct request *q, struct shortlist *s, struct err *e);
int accounts_compose(const struct request *q, struct shortlist *s,
                     struct err *e);
int packages_compose(const struct request *q, struct shortlist *s,
                     struct err *e);

#endif
