// SPDX-License-Identifier: Apache-2.0
/*
 * The smoke test for a second simulator, Icarus. A plug returns the beats of one core to it D
 * cycles later. It tests the exact time of an exchange, a flipped bit, a lost beat and a drain.
 * With macro UNFRAMED, PACKETS or PROT the core is in that wrapper. TAP.
 */
`timescale 1ns / 1ps
`default_nettype none

`ifdef UNFRAMED
`define TOP nb_link_unframed
`define MORE
`elsif PACKETS
`define TOP nb_link_packets
`define MORE .out_tlast(out_last), .out_tkeep(out_keep), .out_tdest(out_dest), \
             .in_tlast(1'b1), .in_tkeep(64'b0), .in_tdest(16'b1),
`elsif PROT
`define TOP nb_link_prot
`define MORE .out_tlast(out_last), .out_tkeep(out_keep), \
             .s_axi_control_awprot(3'b111), .s_axi_control_arprot(3'b111),
`else
`define TOP nb_link
`define MORE .out_tlast(out_last), .out_tkeep(out_keep),
`endif

module smoke;

localparam W = 512, D = 7, ITERATIONS = 10, SKIP = 2;
`ifdef PACKETS
localparam SIZE = 2500, PACKET = 16;    // two packets and a half
`else
localparam SIZE = 200, PACKET = 1024;
`endif
localparam BEATS = (SIZE + 63) / 64;

reg           clk = 0, rst_n = 0;
reg  [12:0]   awaddr, araddr;
reg  [31:0]   wdata;
reg           awvalid = 0, arvalid = 0;
wire          awready, wready, bvalid, arready, rvalid, interrupt;
wire [1:0]    bresp, rresp;
wire [31:0]   rdata;
wire [W-1:0]  out_data;
wire          out_valid, out_last, in_ready;
wire [63:0]   out_keep;
wire [15:0]   out_dest;

always #5 clk = !clk;

// ---- the plug ----

reg  [W-1:0] on_way[0:D-2];
reg  [D-2:0] there = 0;
reg          lose = 0;
reg  [W-1:0] flip = 0;
integer      number = 0;

always @(posedge clk) begin
    for (int i = 1; i < D - 1; i++) begin
        on_way[i] <= on_way[i-1];
    end
    on_way[0] <= out_data ^ (number == 9 ? flip : 0);
    there <= {there[D-3:0], out_valid && !(lose && number == 9)};
    number <= out_valid ? number + 1 : number;
end

reg  [W-1:0] in_data;
reg          in_valid = 0;

always @(posedge clk) begin
    in_data <= on_way[D-2];
    in_valid <= there[D-2];
end

`TOP #(.W(W)) link (
    .ap_clk(clk), .ap_rst_n(rst_n), .interrupt(interrupt),
    .s_axi_control_awaddr(awaddr), .s_axi_control_awvalid(awvalid),
    .s_axi_control_awready(awready),
    .s_axi_control_wdata(wdata), .s_axi_control_wstrb(4'hf), .s_axi_control_wvalid(awvalid),
    .s_axi_control_wready(wready),
    .s_axi_control_bresp(bresp), .s_axi_control_bvalid(bvalid), .s_axi_control_bready(1'b1),
    .s_axi_control_araddr(araddr), .s_axi_control_arvalid(arvalid),
    .s_axi_control_arready(arready),
    .s_axi_control_rdata(rdata), .s_axi_control_rresp(rresp), .s_axi_control_rvalid(rvalid),
    .s_axi_control_rready(1'b1),
    `MORE
    .out_tdata(out_data), .out_tvalid(out_valid), .out_tready(1'b1),
    .in_tdata(in_data), .in_tvalid(in_valid), .in_tready(in_ready)
);

// ---- frames ----

integer beat = 0, bad_frames = 0;       // beat: its number in the message

`ifdef PACKETS
wire dest_is_wrong = out_dest !== 16'd0;
`else
wire dest_is_wrong = 1'b0;
`endif

`ifndef UNFRAMED
always @(posedge clk) begin
    if (out_valid) begin
        bad_frames <= bad_frames + (&out_keep !== 1'b1) + (dest_is_wrong !== 1'b0)
            + (out_last !== (beat == BEATS - 1 || beat % PACKET == PACKET - 1));
        beat <= beat == BEATS - 1 ? 0 : beat + 1;
    end
end
`endif

// ---- registers ----

task write(input [12:0] at, input [31:0] value);
    begin
        @(negedge clk);
        awaddr = at;
        wdata = value;
        awvalid = 1;
        @(negedge clk);
        awvalid = 0;
        while (!bvalid) @(negedge clk);
    end
endtask

reg [31:0] value;

task read(input [12:0] at);
    begin
        @(negedge clk);
        araddr = at;
        arvalid = 1;
        @(negedge clk);
        arvalid = 0;
        while (!rvalid) @(negedge clk);
        value = rdata;
    end
endtask

integer tests = 0, failed = 0;

task ok(input good, input [511:0] name);
    begin
        tests = tests + 1;
        failed = failed + !good;
        if (good) begin
            $display("ok %0d - icarus: %0s", tests, name);
        end else begin
            $display("not ok %0d - icarus: %0s: %0d", tests, name, value);
        end
    end
endtask

task launch(input [31:0] flags, input [31:0] iterations);
    begin
        number = 0;
        write(13'h010, iterations);
        write(13'h018, SKIP);
        write(13'h020, flags);
        write(13'h000, 1);
        read(13'h000);
        while (!value[2]) read(13'h000);
    end
endtask

initial begin
    repeat (8) @(negedge clk);
    rst_n = 1;
    repeat (4) @(negedge clk);
    read(13'h100);
    ok(value == 32'h6e627274, "magic");
    write(13'h028, 4);
    write(13'h030, 0);
    write(13'h038, SIZE);
    write(13'h040, 1);
    write(13'h048, 2);
    write(13'h050, SIZE);
    write(13'h058, 1);
    write(13'h060, 1);
    write(13'h070, 0);
    write(13'h088, 0);
    write(13'h098, 32'h12345678);
    write(13'h0a4, 32'h01000000);
    write(13'h0b0, 32'h12345678);
    write(13'h0bc, 32'h01000000);
    launch(32'h00010001, ITERATIONS);
    read(13'h180);
    ok(value == BEATS + D + 2, "least of an exchange is n + D + 2");
    read(13'h184);
    ok(value == BEATS + D + 2, "greatest of an exchange is n + D + 2");
    read(13'h188);
    ok(value == ITERATIONS - SKIP, "samples");
    read(13'h1000 + 4 * (BEATS + D + 2));
    ok(value == ITERATIONS - SKIP, "histogram");
    read(13'h10c);
    ok(value == 0, "no beat is wrong");
    value = bad_frames;
    ok(bad_frames == 0, "TLAST, TKEEP and TDEST of each beat");
    flip = 1 << 20;
    launch(32'h00010001, ITERATIONS);
    read(13'h10c);
    ok(value == 2, "a flipped bit is told");
    read(13'h168);
    ok(value == 9, "and in which beat");
    flip = 0;
    lose = 1;
    launch(32'h00010001, ITERATIONS);
    read(13'h10c);
    ok(value == 3, "a lost beat ends by the time-out");
    lose = 0;
    launch(32'h00010003, 0);
    launch(32'h00010001, ITERATIONS);
    read(13'h10c);
    ok(value == 0, "usable after a drain");
    $display("1..%0d", tests);
    $finish;
end

endmodule

`default_nettype wire
