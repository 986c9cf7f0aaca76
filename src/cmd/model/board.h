/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of `model` for the bandwidth that the channels of an FPGA board should reach. */
#ifndef NETBENCH_CMD_MODEL_BOARD_H
#define NETBENCH_CMD_MODEL_BOARD_H

#include "cmd/model/form.h"

extern const struct form board_form, board_against_form;

#endif
