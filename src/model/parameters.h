/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of networks in files: LogGP's, and those of the RDMA form. */
#ifndef NETBENCH_MODEL_PARAMETERS_H
#define NETBENCH_MODEL_PARAMETERS_H

#include <jansson.h>
#include <stdbool.h>

#include "model/loggp.h"
#include "model/rdma.h"

/*
 * The parameters by size in a document: its "segments" (of model --measure), else its "loggp" for
 * all sizes. L may be negative there, because a fit computes it from the overheads. Parameters that
 * a segment's fit has not determined are NaN. False if the document has neither.
 */
bool parameters_pieces(const json_t *doc, struct loggp_pieces *pieces);

/*
 * Reads the member "loggp" of a JSON file, or of its "summary" as in a result of atlas-all. This
 * object has L_s, o_s_s, o_r_s, g_s and G_s_per_B. Also reads the pieces of the file, unless
 * `pieces` is NULL. ST_OK, or ST_USAGE (reported) if the file lacks the object, or a parameter is
 * missing, not determined or negative. Warns of overheads that grow with the size.
 */
int parameters_read(const char *path, struct loggp *p, struct loggp_pieces *pieces);

/* The same from a document that has been read from `path`. */
int parameters_take(const char *path, const json_t *doc, struct loggp *p,
		    struct loggp_pieces *pieces);

/* The same, but only returns false on a fault. */
bool parameters_from(const json_t *doc, struct loggp *p);

/* The object for these parameters, with null for NaN. New reference. */
json_t *parameters_object(const struct loggp *p);

/*
 * The object for parameters of the RDMA form, with their source and with null for NaN. Its member
 * "symbols" has the values of the thesis' own symbols. New reference.
 */
json_t *parameters_rdma_object(const struct rdma *p, const char *source);

/*
 * Takes such an object, "rdma" of the "environment" of a document that has been read from `path`;
 * null is NaN. `source`, of `len` bytes, becomes the file and the source of its parameters. ST_OK,
 * or ST_USAGE (reported) if the document lacks the object, or a parameter is missing or negative.
 */
int parameters_rdma_take(const char *path, const json_t *doc, struct rdma *p, char *source,
			 size_t len);

/* True if a document has parameters of the RDMA form but none of LogGP. */
bool parameters_only_rdma(const json_t *doc);

#endif
