/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms of the FFT: the time that each layout takes for communication and computing under LogP and
 * LogGP. Also a picture of the remote columns of its butterfly.
 */
#ifndef NETBENCH_CMD_MODEL_FFT_H
#define NETBENCH_CMD_MODEL_FFT_H

#include "cmd/model/form.h"

extern const struct form fft_logp_form, fft_loggp_form;

#endif
