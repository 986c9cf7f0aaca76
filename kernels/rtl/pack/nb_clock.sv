// SPDX-License-Identifier: Apache-2.0
/*
 * nb_clock: the clock of an OpenCL kernel, as a library function `ulong nb_clock(ulong after)` of
 * aoc. It returns the cycles since the reset, 64 bit. The argument is not used; it only lets a
 * kernel state what the reading depends on.
 *
 * This is all of the link core that an aoc library can contain: its modules have a single
 * Avalon-ST input and may not connect to the card's channels.
 *
 * timing: free of stalls; the result follows one cycle after its argument.
 */
`default_nettype none

module nb_clock (
    input  wire        clock,
    input  wire        resetn,
    input  wire        ivalid,
    output wire        iready,
    output reg         ovalid,
    /* verilator lint_off UNUSEDSIGNAL */
    input  wire        oready,
    input  wire [63:0] datain,
    /* verilator lint_on UNUSEDSIGNAL */
    output reg  [63:0] dataout
);

reg [63:0] now;

assign iready = 1'b1;

always @(posedge clock) begin
    now <= now + 1;
    dataout <= now;
    ovalid <= ivalid;
    if (!resetn) begin
        now <= 0;
        ovalid <= 1'b0;
    end
end

endmodule

`default_nettype wire
