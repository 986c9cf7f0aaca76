/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms of `model` for the FFT: the times of communication and computing with each layout, under
 * LogP and LogGP. Another form draws the FFT's butterfly and its remote columns.
 */
#ifndef NETBENCH_CMD_MODEL_FFT_H
#define NETBENCH_CMD_MODEL_FFT_H

#include "cmd/model/form.h"

extern const struct form fft_logp_form, fft_loggp_form;

#endif
