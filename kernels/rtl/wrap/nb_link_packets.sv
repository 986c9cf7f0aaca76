// SPDX-License-Identifier: Apache-2.0
/*
 * nb_link_packets: nb_link for a link layer that carries packets, such as VNx. All times are those
 * of nb_link.
 *
 * parameters
 *   PACKET_BEATS       beats of a packet, a power of two: 16 of 64 bytes fit an Ethernet frame
 *   DEST               socket of the link layer, which is out_tdest of each beat
 *
 * ports: those of nb_link, and these
 *   out_tlast          the last beat of a packet. A packet also ends with its message
 *   out_tdest          DEST
 *   in_t{last,keep,dest}   not used: the core counts beats
 */
`default_nettype none

module nb_link_packets #(
    parameter W = 512,
    parameter PACKET_BEATS = 16,
    parameter [15:0] DEST = 0
) (
    input  wire           ap_clk,
    input  wire           ap_rst_n,
    /* verilator lint_off SYMRSVDWORD */    // the name that Vitis requires
    output wire           interrupt,
    /* verilator lint_on SYMRSVDWORD */

    input  wire [12:0]    s_axi_control_awaddr,
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
    output wire [15:0]    out_tdest,

    input  wire [W-1:0]   in_tdata,
    input  wire           in_tvalid,
    output wire           in_tready,
    /* verilator lint_off UNUSEDSIGNAL */
    input  wire           in_tlast,
    input  wire [W/8-1:0] in_tkeep,
    input  wire [15:0]    in_tdest
    /* verilator lint_on UNUSEDSIGNAL */
);

localparam BITS = $clog2(PACKET_BEATS);

reg  [BITS-1:0] beat = 0;               // of the packet
wire            last;                   // the last beat of the message

assign out_tlast = last || &beat;
assign out_tdest = DEST;

always @(posedge ap_clk) begin
    if (out_tvalid && out_tready) begin
        beat <= out_tlast ? 0 : beat + 1;
    end
    if (!ap_rst_n) begin
        beat <= 0;
    end
end

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
    .out_tlast(last), .out_tkeep(out_tkeep),
    .in_tdata(in_tdata), .in_tvalid(in_tvalid), .in_tready(in_tready)
);

endmodule

`default_nettype wire
