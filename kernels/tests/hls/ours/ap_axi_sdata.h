/* SPDX-License-Identifier: Apache-2.0 */
/* As much of Vitis HLS's ap_axiu as beff_xilinx.cpp uses, where AMD's own header is not. */
#ifndef NETBENCH_CHECK_AP_AXI_SDATA_H
#define NETBENCH_CHECK_AP_AXI_SDATA_H

#include "ap_int.h"

template <int DATA, int USER, int ID, int DEST> struct ap_axiu {
	ap_uint<DATA> data;
	ap_uint<DATA / 8> keep;
	ap_uint<1> last;
	ap_uint<DEST> dest;
};

/* Without TDEST there is none to be set. */
template <int DATA, int USER, int ID> struct ap_axiu<DATA, USER, ID, 0> {
	ap_uint<DATA> data;
	ap_uint<DATA / 8> keep;
	ap_uint<1> last;
};

#endif
