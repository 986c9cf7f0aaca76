/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_MARGIN_H
#define NETBENCH_CMD_MARGIN_H

/*
 * Parses the value of option --margin. "5%" sets *margin to 0.05. Returns ST_OK or ST_USAGE
 * (reported).
 */
int margin_parse(const char *text, double *margin);

#endif
