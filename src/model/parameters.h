/* SPDX-License-Identifier: Apache-2.0 */
/* Network parameters in files: LogGP's, and those of the RDMA form. */
#ifndef NETBENCH_MODEL_PARAMETERS_H
#define NETBENCH_MODEL_PARAMETERS_H

#include <jansson.h>
#include <stdbool.h>

#include "model/loggp.h"
#include "model/rdma.h"

/*
 * Gets the parameters by size from a document: its "segments" (of model --measure), otherwise its
 * "loggp" for all sizes. L may be negative there, because a fit computes it from the overheads.
 * Parameters that a segment's fit has not determined are NaN. Returns false if the document has
 * neither.
 */
bool parameters_pieces(const json_t *doc, struct loggp_pieces *pieces);

/*
 * Reads the member "loggp" of a JSON file, or of its "summary" as in a result of atlas-all. This
 * object has L_s, o_s_s, o_r_s, g_s and G_s_per_B. Also reads the parameters by size, unless
 * `pieces` is NULL. Warns if overheads grow with the size. Returns ST_OK; or ST_USAGE (reported) if
 * the object is missing, or a parameter is missing, not determined or negative.
 */
int parameters_read(const char *path, struct loggp *p, struct loggp_pieces *pieces);

/* Like parameters_read, for a document that has been read from `path`. */
int parameters_take(const char *path, const json_t *doc, struct loggp *p,
		    struct loggp_pieces *pieces);

/* Gets the parameters from a document without reports; returns false on a fault. */
bool parameters_get(const json_t *doc, struct loggp *p);

/* Makes the object for these parameters, with null for NaN. New reference. */
json_t *parameters_object(const struct loggp *p);

/*
 * Makes the object for parameters of the RDMA form and their source, with null for NaN. Its member
 * "symbols" has the values of the thesis' own symbols. New reference.
 */
json_t *parameters_rdma_object(const struct rdma *p, const char *source);

/*
 * Gets the parameters of the RDMA form from a document that has been read from `path`: the object
 * "rdma" of its "environment". null becomes NaN. `source`, of `len` bytes, gets the name of the
 * file and the source given in it. Returns ST_OK; or ST_USAGE (reported) if the object is missing,
 * or a parameter is missing or negative.
 */
int parameters_rdma_take(const char *path, const json_t *doc, struct rdma *p, char *source,
			 size_t len);

/* True if a document has parameters of the RDMA form but not LogGP's. */
bool parameters_only_rdma(const json_t *doc);

#endif
