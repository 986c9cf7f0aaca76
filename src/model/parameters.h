/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of networks in files: LogGP's, and those of the RDMA form. */
#ifndef NETBENCH_MODEL_PARAMETERS_H
#define NETBENCH_MODEL_PARAMETERS_H

#include <jansson.h>
#include <stdbool.h>

#include "model/loggp.h"
#include "model/rdma.h"

/*
 * The parameters by size that a document has: its "segments" (of model --measure), else its "loggp"
 * for all sizes. L may be negative there: it is what a fit has left beside the overheads. What a
 * segment's fit has not determined is NaN. False if it has neither.
 */
bool parameters_pieces(const json_t *doc, struct loggp_pieces *pieces);

/*
 * Reads the member "loggp" of a JSON file, or of its "summary" (a result of atlas-all has it): an
 * object with L_s, o_s_s, o_r_s, g_s and G_s_per_B. Also reads its pieces, unless that is NULL.
 * ST_OK, or ST_USAGE if the file has no such object, or one of them is missing, not determined or
 * negative (reported).
 */
int parameters_read(const char *path, struct loggp *p, struct loggp_pieces *pieces);

/* The same from a document that has been read from `path`. */
int parameters_take(const char *path, const json_t *doc, struct loggp *p,
		    struct loggp_pieces *pieces);

/* The same without a report: false if it has none, or none that can be taken. */
bool parameters_from(const json_t *doc, struct loggp *p);

/* The same as such an object, with null for NaN. New reference. */
json_t *parameters_object(const struct loggp *p);

/*
 * Those of the RDMA form as an object, with where they come from, null for NaN, and as "symbols"
 * the thesis' own symbols in them. New reference.
 */
json_t *parameters_rdma_object(const struct rdma *p, const char *source);

/*
 * Takes such an object, "rdma" of the "environment" of a document that has been read from `path`;
 * null is NaN. `source`, of `len` bytes, becomes the file and where its parameters come from.
 * ST_OK, or ST_USAGE if there is no such object, or a parameter is missing or negative (reported).
 */
int parameters_rdma_take(const char *path, const json_t *doc, struct rdma *p, char *source,
			 size_t len);

/* True if a document has parameters of the RDMA form and none of LogGP. */
bool parameters_only_rdma(const json_t *doc);

#endif
