// SPDX-License-Identifier: Apache-2.0
/*
 * nb_link_prot: nb_link with AWPROT and ARPROT, which Platform Designer requires of AXI4-Lite. The
 * core ignores them. All other ports and all times are those of nb_link.
 */
`default_nettype none

module nb_link_prot #(
    parameter W = 512
) (
    input  wire           ap_clk,
    input  wire           ap_rst_n,
    /* verilator lint_off SYMRSVDWORD */    // the name that Vitis requires
    output wire           interrupt,
    /* verilator lint_on SYMRSVDWORD */

    input  wire [12:0]    s_axi_control_awaddr,
    /* verilator lint_off UNUSEDSIGNAL */
    input  wire [2:0]     s_axi_control_awprot,
    /* verilator lint_on UNUSEDSIGNAL */
    input  wire           s_axi_control_awvalid,
    output wire           s_axi_control_awready,
    input  wire [31:0]    s_axi_control_wdata,
    input  wire [3:0]     s_axi_control_wstrb,
    input  wire           s_axi_control_wvalid,
    output wire           s_axi_control_wready,
    output wire [1:0]     s_axi_control_bresp,
    output wire           s_axi_control_bvalid,
    input  wire           s_axi_control_bready,
    input  wire [12:0]    s_axi_control_araddr,
    /* verilator lint_off UNUSEDSIGNAL */
    input  wire [2:0]     s_axi_control_arprot,
    /* verilator lint_on UNUSEDSIGNAL */
    input  wire           s_axi_control_arvalid,
    output wire           s_axi_control_arready,
    output wire [31:0]    s_axi_control_rdata,
    output wire [1:0]     s_axi_control_rresp,
    output wire           s_axi_control_rvalid,
    input  wire           s_axi_control_rready,

    output wire [W-1:0]   out_tdata,
    output wire           out_tvalid,
    input  wire           out_tready,
    output wire           out_tlast,
    output wire [W/8-1:0] out_tkeep,

    input  wire [W-1:0]   in_tdata,
    input  wire           in_tvalid,
    output wire           in_tready
);

nb_link #(.W(W)) link (
    .ap_clk(ap_clk), .ap_rst_n(ap_rst_n), .interrupt(interrupt),
    .s_axi_control_awaddr(s_axi_control_awaddr),
    .s_axi_control_awvalid(s_axi_control_awvalid),
    .s_axi_control_awready(s_axi_control_awready),
    .s_axi_control_wdata(s_axi_control_wdata),
    .s_axi_control_wstrb(s_axi_control_wstrb),
    .s_axi_control_wvalid(s_axi_control_wvalid),
    .s_axi_control_wready(s_axi_control_wready),
    .s_axi_control_bresp(s_axi_control_bresp),
    .s_axi_control_bvalid(s_axi_control_bvalid),
    .s_axi_control_bready(s_axi_control_bready),
    .s_axi_control_araddr(s_axi_control_araddr),
    .s_axi_control_arvalid(s_axi_control_arvalid),
    .s_axi_control_arready(s_axi_control_arready),
    .s_axi_control_rdata(s_axi_control_rdata),
    .s_axi_control_rresp(s_axi_control_rresp),
    .s_axi_control_rvalid(s_axi_control_rvalid),
    .s_axi_control_rready(s_axi_control_rready),
    .out_tdata(out_tdata), .out_tvalid(out_tvalid), .out_tready(out_tready),
    .out_tlast(out_tlast), .out_tkeep(out_tkeep),
    .in_tdata(in_tdata), .in_tvalid(in_tvalid), .in_tready(in_tready)
);

endmodule

`default_nettype wire
