/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model --measure: the experiments from which LogGP's parameters follow (METHODS 2.3). Rounds, each
 * of which visits every size with every experiment once in fresh random order, so that a drift of
 * the machine does not look like a property of a size; then the switch points found are bisected.
 */
#ifndef NETBENCH_CMD_MODEL_MEASURE_H
#define NETBENCH_CMD_MODEL_MEASURE_H

#include "cli/command.h"

extern const struct mode model_measure;

#endif
