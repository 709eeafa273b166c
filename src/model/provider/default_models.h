/* SPDX-License-Identifier: GPL-3.0-or-later */
/* default_models.h - the models that are asked when nobody names one.
 *
 * Models are shut down, some within a year. So a default is a list for each
 * provider, the newest first: the first is asked, and when the provider does
 * not have it, the first that is in its own list of models. */
#ifndef MODEL_PROVIDER_DEFAULT_MODELS_H
#define MODEL_PROVIDER_DEFAULT_MODELS_H

#include "model/model_rank.h"
#include "model/provider/provider.h"

/* The i-th default of the provider; NULL after the last. */
const char *default_models_at(const struct provider *p, size_t i);

/* The model to ask of those that the provider lists: the first default that is
 * there, else the newest of the same family ("haiku"), else the best by
 * model_rank.h. without: a model that was refused; it is not chosen. NULL:
 * there is none. The name is l's or static. */
const char *default_models_choose(const struct provider *p,
                                  const struct model_list *l,
                                  const char *without);

#endif
