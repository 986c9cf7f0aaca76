/* SPDX-License-Identifier: Apache-2.0 */
/* The part of Vitis HLS's ap_axiu that beff_xilinx.cpp uses, for machines without AMD's header. */
#ifndef NETBENCH_CHECK_AP_AXI_SDATA_H
#define NETBENCH_CHECK_AP_AXI_SDATA_H

#include "ap_int.h"

template <int DATA, int USER, int ID, int DEST> struct ap_axiu {
	ap_uint<DATA> data;
	ap_uint<DATA / 8> keep;
	ap_uint<1> last;
	ap_uint<DEST> dest;
};

/* Without TDEST there is no member `dest`. */
template <int DATA, int USER, int ID> struct ap_axiu<DATA, USER, ID, 0> {
	ap_uint<DATA> data;
	ap_uint<DATA / 8> keep;
	ap_uint<1> last;
};

#endif
