/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model --measure: runs the experiments that determine LogGP's parameters (METHODS 2.3). Each round
 * visits every size with every experiment once, in a new random order. A drift of the machine
 * therefore does not look like a property of a size. After the fit, further measurements bisect the
 * switch points that the fit found.
 */
#ifndef NETBENCH_CMD_MODEL_MEASURE_H
#define NETBENCH_CMD_MODEL_MEASURE_H

#include "cli/command.h"

extern const struct mode model_measure;

#endif
