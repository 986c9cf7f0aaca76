/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes network parameters in files: parameters of LogGP and of the RDMA form. */
#ifndef NETBENCH_MODEL_PARAMETERS_H
#define NETBENCH_MODEL_PARAMETERS_H

#include <jansson.h>
#include <stdbool.h>

#include "model/loggp.h"
#include "model/rdma.h"

/*
 * Gets the parameters for ranges of message sizes from a document. They are in its "segments"
 * (written by model --measure), or for all sizes in its "loggp". L may be negative, because a fit
 * computes L from the overheads. Parameters that the fit of a segment has not determined are NaN.
 * Returns false if the document has neither.
 */
bool parameters_pieces(const json_t *doc, struct loggp_pieces *pieces);

/*
 * Reads LogGP parameters from a JSON file. They are the members L_s, o_s_s, o_r_s, g_s and
 * G_s_per_B of the file's object "loggp". As in a result of atlas-all, "loggp" may also be in the
 * object "summary". If `pieces` is not NULL, also reads the parameters for ranges of sizes. Warns
 * if overheads grow with the size. Returns ST_OK; or ST_USAGE (reported) if the object is missing,
 * or a parameter is missing, not determined or negative.
 */
int parameters_read(const char *path, struct loggp *p, struct loggp_pieces *pieces);

/* Like parameters_read, for a document that was read from `path`. */
int parameters_take(const char *path, const json_t *doc, struct loggp *p,
		    struct loggp_pieces *pieces);

/*
 * Gets the parameters of LogGP from a document without reporting faults. Returns false if there is
 * a fault.
 */
bool parameters_get(const json_t *doc, struct loggp *p);

/*
 * Returns a new JSON object with these parameters; NaN becomes null. The caller owns the reference.
 */
json_t *parameters_object(const struct loggp *p);

/*
 * Returns a new JSON object with parameters of the RDMA form and their source; NaN becomes null.
 * The member "symbols" has the values of the symbols of the thesis. The caller owns the reference.
 */
json_t *parameters_rdma_object(const struct rdma *p, const char *source);

/*
 * Gets the parameters of the RDMA form from a document that was read from `path`: the object "rdma"
 * of its "environment". null becomes NaN. Writes to `source`, which has `len` bytes, the name of
 * the file and the source that the document names. Returns ST_OK; or ST_USAGE (reported) if the
 * object is missing, or a parameter is missing or negative.
 */
int parameters_rdma_take(const char *path, const json_t *doc, struct rdma *p, char *source,
			 size_t len);

/* Returns true if a document has parameters of the RDMA form but none of LogGP. */
bool parameters_only_rdma(const json_t *doc);

#endif
