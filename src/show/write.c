/* SPDX-License-Identifier: Apache-2.0 */
#include "show/write.h"

#include "base/error.h"

int show_result(const struct output_options *o, const struct record *rec, rows_fn *rows, void *arg)
{
	struct outlets *r = NULL;
	int err = report_open(&r, o), closed;

	if (!err)
		err = report_begin(r, rec);
	if (!err)
		err = rows(arg, r, rec);
	if (!err)
		err = report_end(r, rec);
	closed = report_close(r, !err);
	return err ? err : closed;
}
