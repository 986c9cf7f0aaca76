/* SPDX-License-Identifier: Apache-2.0 */
/* Forms: the bandwidth that the channels of an FPGA board should reach. */
#pragma once

#include "cmd/model/form.h"

extern const struct form board_form, board_against_form;
