/* SPDX-License-Identifier: Apache-2.0 */
#include "model/parameters.h"

#include <math.h>

#include "base/error.h"
#include "base/file.h"

static const char *const names[] = { "L_s", "o_s_s", "o_r_s", "g_s", "G_s_per_B" };
#define NPARAMETERS (sizeof(names) / sizeof(names[0]))

json_t *parameters_object(const struct loggp *p)
{
	const double values[NPARAMETERS] = { p->L, p->o_s, p->o_r, p->g, p->G };
	json_t *of = json_object();

	for (size_t i = 0; i < NPARAMETERS; i++)
		json_object_set_new(of, names[i], isnan(values[i]) ? json_null()
								   : json_real(values[i]));
	return of;
}

/* A document's parameters for all sizes. */
static const json_t *found_in(const json_t *doc)
{
	const json_t *of = json_object_get(doc, "loggp");

	return of ? of : json_object_get(json_object_get(doc, "summary"), "loggp");
}

/* NaN where a number is missing. */
static double number_of(const json_t *o, const char *name)
{
	const json_t *v = json_object_get(o, name);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

static struct loggp numbers_of(const json_t *o)
{
	return (struct loggp){ number_of(o, names[0]), number_of(o, names[1]),
			       number_of(o, names[2]), number_of(o, names[3]),
			       number_of(o, names[4]) };
}

/* What is wrong with a parameter, NULL if nothing. */
static const char *fault_of(const json_t *o, const char *name)
{
	const json_t *v = json_object_get(o, name);

	return !v ? "missing" : json_is_null(v) ? "not determined there" :
	       !json_is_number(v) ? "not a number" :
	       json_number_value(v) < 0 ? "negative there" : NULL;
}

bool parameters_from(const json_t *doc, struct loggp *p)
{
	const json_t *of = found_in(doc);

	*p = numbers_of(of);
	for (size_t i = 0; i < NPARAMETERS; i++)
		if (fault_of(of, names[i]))
			return false;
	return true;
}

bool parameters_pieces(const json_t *doc, struct loggp_pieces *pieces)
{
	const json_t *segments = json_object_get(json_object_get(doc, "summary"), "segments"), *s;
	size_t i;

	*pieces = (struct loggp_pieces){ 0 };
	json_array_foreach(segments, i, s) {
		if (i == LOGGP_PIECES)
			break;
		pieces->p[i] = numbers_of(s);
		pieces->upto[i] = json_number_value(json_object_get(s, "upto_B"));
		pieces->n = i + 1;
	}
	if (!pieces->n)
		pieces->n = parameters_from(doc, &pieces->p[0]);
	return pieces->n;
}

/* Reports the first parameter that is not as it must be. */
static int check(const char *path, const json_t *of)
{
	if (!json_object_size(of))
		return error_usage("'%s' has no LogGP parameters: give a result of 'netbench "
				   "atlas-all' or 'netbench model --measure'", path);
	for (size_t i = 0; i < NPARAMETERS; i++)
		if (fault_of(of, names[i]))
			return error_usage("cannot take the LogGP parameters of '%s': parameter "
					   "'%s' is %s", path, names[i], fault_of(of, names[i]));
	return ST_OK;
}

int parameters_read(const char *path, struct loggp *p, struct loggp_pieces *pieces)
{
	const char *why;
	FILE *f = file_open(path, &why);
	json_error_t fault;
	json_t *file;
	int err;

	if (!f)
		return error_usage("cannot read '%s': %s", path, why);
	file = json_loadf(f, 0, &fault);
	fclose(f);
	if (!file)
		return error_usage("cannot read '%s': %s", path, fault.text);
	*p = numbers_of(found_in(file));
	err = check(path, found_in(file));
	if (pieces)
		parameters_pieces(file, pieces);
	json_decref(file);
	return err;
}

json_t *parameters_rdma_object(const struct rdma *p, const char *source)
{
	return json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "source",
			 source, "o_wqe_s", p->o_wqe, "o_db_s", p->o_db, "o_cqe_s", p->o_cqe,
			 "o_nsnd_s", p->o_nsnd, "o_nrcv_s", p->o_nrcv, "o_rcv_s", p->o_rcv,
			 "o_free_s", p->o_free, "G_s_per_B", p->G, "L_s", p->L, "L_ack_s", p->L_ack,
			 "serial", p->serial);
}
