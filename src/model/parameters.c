/* SPDX-License-Identifier: Apache-2.0 */
#include "model/parameters.h"

#include <math.h>
#include <string.h>

#include "base/read/saved.h"
#include "base/error.h"
#include "base/text.h"

static const char *const keys[] = { "L_s", "o_s_s", "o_r_s", "g_s", "G_s_per_B" };
#define NPARAMETERS (sizeof(keys) / sizeof(keys[0]))

static json_t *real_or_null(double v)
{
	return isnan(v) ? json_null() : json_real(v);
}

json_t *parameters_object(const struct loggp *p)
{
	const double values[NPARAMETERS] = { p->L, p->o_s, p->o_r, p->g, p->G };
	json_t *of = json_object();

	for (size_t i = 0; i < NPARAMETERS; i++)
		json_object_set_new(of, keys[i], real_or_null(values[i]));
	return of;
}

/* Returns the object of a document that holds the parameters of LogGP for all sizes. */
static const json_t *loggp_object(const json_t *doc)
{
	const json_t *of = json_object_get(doc, "loggp");

	return of ? of : json_object_get(json_object_get(doc, "summary"), "loggp");
}

/* Returns the number with this name; NaN if it is missing. */
static double get_number(const json_t *o, const char *name)
{
	const json_t *v = json_object_get(o, name);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

static struct loggp get_numbers(const json_t *o)
{
	return (struct loggp){ get_number(o, keys[0]), get_number(o, keys[1]),
			       get_number(o, keys[2]), get_number(o, keys[3]),
			       get_number(o, keys[4]) };
}

/* Returns what is wrong with a parameter; NULL if it is valid. */
static const char *find_fault(const json_t *o, const char *name)
{
	const json_t *v = json_object_get(o, name);

	return !v ? "missing" : json_is_null(v) ? "not determined there" :
	       !json_is_number(v) ? "not a number" :
	       json_number_value(v) < 0 ? "negative there" : NULL;
}

bool parameters_get(const json_t *doc, struct loggp *p)
{
	const json_t *of = loggp_object(doc);

	*p = get_numbers(of);
	for (size_t i = 0; i < NPARAMETERS; i++)
		if (find_fault(of, keys[i]))
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
		pieces->p[i] = get_numbers(s);
		pieces->upto[i] = json_number_value(json_object_get(s, "upto_B"));
		pieces->n = i + 1;
	}
	if (!pieces->n)
		pieces->n = parameters_get(doc, &pieces->p[0]);
	return pieces->n;
}

/* If the overheads per byte exceed this share of G, they may limit traffic in both directions. */
#define COPIES 0.1

/*
 * Warns if the overheads of a fit grow with the size, because LogGP has no processor time per byte.
 */
static void warn_of_copies(const char *path, const json_t *doc)
{
	const json_t *segments = json_object_get(json_object_get(doc, "summary"), "segments"), *s;
	size_t i;

	json_array_foreach(segments, i, s) {
		double sure = get_number(s, "O_s_lo_s_per_B") + get_number(s, "O_r_lo_s_per_B");
		double both = get_number(s, "O_s_s_per_B") + get_number(s, "O_r_s_per_B");

		if (!(both > COPIES * get_number(s, "G_s_per_B")) || sure <= 0)
			continue;
		error_warn("the overheads of '%s' grow with the size, by %s ns per byte: its "
			   "processors copy, which LogGP does not model; messages both ways may "
			   "take up to twice as long as predicted", path, plain(1e9 * both, 2).s);
		return;
	}
}

int parameters_take(const char *path, const json_t *doc, struct loggp *p,
		    struct loggp_pieces *pieces)
{
	const json_t *of = loggp_object(doc);

	*p = get_numbers(of);
	if (pieces)
		parameters_pieces(doc, pieces);
	if (!json_object_size(of))
		return error_usage("'%s' has no LogGP parameters: give a result of 'netbench "
				   "atlas-all' or 'netbench model --measure'", path);
	for (size_t i = 0; i < NPARAMETERS; i++)
		if (find_fault(of, keys[i]))
			return error_usage("cannot take the LogGP parameters of '%s': parameter "
					   "'%s' is %s", path, keys[i], find_fault(of, keys[i]));
	warn_of_copies(path, doc);
	return ST_OK;
}

int parameters_read(const char *path, struct loggp *p, struct loggp_pieces *pieces)
{
	json_t *doc;
	int err = saved_read(path, &doc);

	if (!err)
		err = parameters_take(path, doc, p, pieces);
	json_decref(doc);
	return err;
}

/* ---- the RDMA form ---- */

/*
 * Writes the key of parameter i in a document, such as "o_wqe_s". The key of G has another unit,
 * because G is a time per byte. Returns buf.
 */
static const char *rdma_key(char *buf, size_t len, size_t i)
{
	snprintf(buf, len, "%s_s%s", rdma_names[i], *rdma_names[i] == 'G' ? "_per_B" : "");
	return buf;
}

json_t *parameters_rdma_object(const struct rdma *p, const char *source)
{
	struct rdma_symbols s = rdma_symbols(p);
	json_t *object = json_pack("{s:s}", "source", source);
	char key[32];

	for (size_t i = 0; i < RDMA_PARAMETERS; i++)
		json_object_set_new(object, rdma_key(key, sizeof(key), i),
				    real_or_null(p->parameter[i]));
	json_object_update_new(object,
			       json_pack("{s:b, s:b, s:{s:{s:s, s:o}, s:{s:s, s:o}, s:{s:s, s:o}}}",
					 "serial", p->serial, "read", p->read, "symbols",
					 "o_snd", "is", RDMA_O_SND, "batch_1_s",
					 real_or_null(s.o_snd), "g", "is", rdma_g_formula(p),
					 "size_1_s", real_or_null(s.g), "g_rcv", "is",
					 rdma_g_rcv_formula(p), "s", real_or_null(s.g_rcv)));
	return object;
}

static const json_t *rdma_object(const json_t *doc)
{
	return json_object_get(json_object_get(doc, "environment"), "rdma");
}

bool parameters_only_rdma(const json_t *doc)
{
	return json_object_size(rdma_object(doc)) && !json_object_size(loggp_object(doc));
}

static const char *text_or_empty(const json_t *v)
{
	return json_is_string(v) ? json_string_value(v) : "";
}

int parameters_rdma_take(const char *path, const json_t *doc, struct rdma *p, char *source,
			 size_t len)
{
	const json_t *of = rdma_object(doc);
	const char *from = json_string_value(json_object_get(of, "source"));
	const json_t *g;
	char key[32];

	if (!json_object_size(of))
		return error_usage("'%s' has no parameters of the RDMA form: give a result of "
				   "'--predict' on backend 'verbs', or of 'netbench model --rdma'",
				   path);
	for (size_t i = 0; i < RDMA_PARAMETERS; i++) {
		const json_t *v = json_object_get(of, rdma_key(key, sizeof(key), i));
		double *to = &p->parameter[i];
		/* results of older versions do not contain g_rcv */
		bool none = !v && to == &p->g_rcv;
		const char *fault = none || json_is_null(v) ? NULL : find_fault(of, key);

		if (fault)
			return error_usage("cannot take the parameters of the RDMA form of '%s': "
					   "parameter '%s' is %s", path, key, fault);
		*to = none ? 0 : get_number(of, key);
	}
	p->read = json_is_true(json_object_get(of, "read"));
	g = json_object_get(json_object_get(of, "symbols"), "g");
	if (!strcmp(text_or_empty(json_object_get(g, "is")), "measured"))
		p->g = json_number_value(json_object_get(g, "size_1_s"));
	snprintf(source, len, "'%s'%s%s", path, from ? ": " : "", from ? from : "");
	return rdma_check(p);
}
