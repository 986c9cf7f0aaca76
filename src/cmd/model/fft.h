/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FFT: what its layouts spend on communication and computing under LogP and LogGP, and which
 * columns of the butterfly are remote.
 */
#ifndef NETBENCH_CMD_MODEL_FFT_H
#define NETBENCH_CMD_MODEL_FFT_H

#include "cmd/model/form.h"

int fft_plan_logp(struct asked *a);
void fft_fill_logp(const struct asked *a, size_t i, const struct record *rec, struct row *row);
int fft_plan_loggp(struct asked *a);
void fft_fill_loggp(const struct asked *a, size_t i, const struct record *rec, struct row *row);
int fft_draw(const struct asked *a);

#endif
