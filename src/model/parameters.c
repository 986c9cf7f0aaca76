/* SPDX-License-Identifier: Apache-2.0 */
#include "model/parameters.h"

#include "base/error.h"

json_t *parameters_object(const struct loggp *p)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f}", "L_s", p->L, "o_s_s", p->o_s, "o_r_s", p->o_r,
			 "g_s", p->g, "G_s_per_B", p->G);
}

bool parameters_from(const json_t *doc, struct loggp *p)
{
	json_t *of = json_object_get(doc, "loggp");

	if (!of)
		of = json_object_get(json_object_get(doc, "summary"), "loggp");
	return !json_unpack(of, "{s:F, s:F, s:F, s:F, s:F}", "L_s", &p->L, "o_s_s", &p->o_s,
			    "o_r_s", &p->o_r, "g_s", &p->g, "G_s_per_B", &p->G) &&
	       p->L >= 0 && p->o_s >= 0 && p->o_r >= 0 && p->g >= 0 && p->G >= 0;
}

static double number_of(const json_t *o, const char *name)
{
	return json_number_value(json_object_get(o, name));	/* 0 if it was not identified */
}

bool parameters_pieces(const json_t *doc, struct loggp_pieces *pieces)
{
	const json_t *segments = json_object_get(json_object_get(doc, "summary"), "segments"), *s;
	size_t i;

	*pieces = (struct loggp_pieces){ 0 };
	json_array_foreach(segments, i, s) {
		if (i == LOGGP_PIECES)
			break;
		pieces->p[i] = (struct loggp){
			number_of(s, "L_s"), number_of(s, "o_s_s"), number_of(s, "o_r_s"),
			number_of(s, "g_s"), number_of(s, "G_s_per_B")
		};
		pieces->upto[i] = number_of(s, "upto_B");
		pieces->n = i + 1;
	}
	if (!pieces->n)
		pieces->n = parameters_from(doc, &pieces->p[0]);
	return pieces->n;
}

int parameters_read(const char *path, struct loggp *p, struct loggp_pieces *pieces)
{
	json_error_t fault;
	json_t *file = json_load_file(path, 0, &fault);
	int err = ST_OK;

	if (!file)
		return error_usage("cannot read '%s': %s", path, fault.text);
	if (!parameters_from(file, p) || (pieces && !parameters_pieces(file, pieces)))
		err = error_usage("'%s' has no LogGP parameters: a result of atlas-all or of model "
				  "--measure has", path);
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
