// SPDX-License-Identifier: Apache-2.0
/*
 * nb_link: a core that measures a link; a card has one for each port. It makes and sends messages,
 * receives and compares them, gives and awaits credits, and times them with its own clock.
 *
 * parameter
 *   W                  bits of a beat, a multiple of 64: 512 or 256
 *
 * ports
 *   ap_clk, ap_rst_n   one clock for all; the reset is registered inside
 *   interrupt          as ap_ctrl_hs defines it
 *   s_axi_control_*    AXI4-Lite, 32 bit, 13 address bits: registers.h
 *   out_*              AXI stream to the link. Beats are whole: every bit of out_tkeep is set
 *   in_*               AXI stream from the link. in_tready is a flip-flop
 *
 * The states of a launch: IDLE, CLEAR (with flag 0: 1024 cycles), DRY (with flag 1: beats are
 * dropped until none has arrived for 4096 cycles), BEGIN, RUN, SETTLE (8 cycles, for the
 * comparison), DONE. RUN ends when both halves are done, or after time-out x 1024 cycles without a
 * beat. After a time-out the core is idle again, and a launch with flag 1 makes it usable without a
 * reset.
 *
 * timing, in cycles of ap_clk; n: beats; D: from a beat's handshake at one core to the other's
 *   exchange            n + D + 2 from credit to credit
 *   ping-pong           2 (n + D + 2)
 *   one way             n a message
 */
`default_nettype none

module nb_link #(
    parameter W = 512
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

    input  wire [W-1:0]   in_tdata,
    input  wire           in_tvalid,
    output wire           in_tready
);

localparam [31:0] MAGIC = 32'h6e627274, VERSION = 1;
localparam [7:0]  TURN = 3;     // cycles from the last beat that comes to the next one sent
localparam [7:0]  HISTOGRAM_BITS = 10;
localparam BYTES = W / 8;
localparam QUIET = 4096, SETTLING = 8, BUCKETS = 1024;

localparam [2:0] IDLE = 0, CLEAR = 1, DRY = 2, BEGIN = 3, RUN = 4, SETTLE = 5, DONE = 6;

reg rst;

always @(posedge ap_clk) begin
    rst <= !ap_rst_n;
end

// ---- the arguments of the launch ----

/* verilator lint_off UNUSEDSIGNAL */      // unused words lie between arguments of 32 bit
wire [1471:0] arguments;
/* verilator lint_on UNUSEDSIGNAL */

// The argument at an offset: 32 or 64 bit.
`define NB_WORD(offset) arguments[((offset) - 'h10) * 8 +: 32]
`define NB_LONG(offset) arguments[((offset) - 'h10) * 8 +: 64]

reg  [31:0] iterations, skip, timeout, base;
reg  [15:0] group;
reg         clears, dries;
reg  [31:0] s_beats0, s_count0, s_beats1, s_count1, r_beats0, r_count0, r_beats1, r_count1;
reg  [1:0]  s_flags0, s_flags1;
reg         r_flags0, r_flags1;
reg  [63:0] s_first, s_step, r_first, r_step;

// Beats of a message; one of 0 bytes has one.
function [31:0] beats_of(input [31:0] size);
    beats_of = size == 0 ? 1 : (size - 1) / BYTES + 1;
endfunction

wire start, takes;

always @(posedge ap_clk) begin
    if (takes) begin
        iterations <= `NB_WORD('h10);
        skip <= `NB_WORD('h18);
        clears <= arguments[('h20 - 'h10) * 8];
        dries <= arguments[('h20 - 'h10) * 8 + 1];
        group <= arguments[('h20 - 'h10) * 8 + 16 +: 16];
        timeout <= `NB_WORD('h28);
        base <= `NB_WORD('h30);
        s_beats0 <= beats_of(`NB_WORD('h38));
        s_count0 <= `NB_WORD('h40);
        s_flags0 <= arguments[('h48 - 'h10) * 8 +: 2];
        r_beats0 <= beats_of(`NB_WORD('h50));
        r_count0 <= `NB_WORD('h58);
        r_flags0 <= arguments[('h60 - 'h10) * 8];
        s_beats1 <= beats_of(`NB_WORD('h68));
        s_count1 <= `NB_WORD('h70);
        s_flags1 <= arguments[('h78 - 'h10) * 8 +: 2];
        r_beats1 <= beats_of(`NB_WORD('h80));
        r_count1 <= `NB_WORD('h88);
        r_flags1 <= arguments[('h90 - 'h10) * 8];
        s_first <= `NB_LONG('h98);
        s_step <= `NB_LONG('ha4);
        r_first <= `NB_LONG('hb0);
        r_step <= `NB_LONG('hbc);
    end
end

// ---- the launch ----

reg  [2:0]  state;
reg  [12:0] wait_count;                 // cycles in CLEAR, DRY or SETTLE
reg  [9:0]  thousand;                   // cycles without a beat, modulo 1024
reg  [31:0] silence;                    // units of 1024 cycles without a beat
reg         timed_out;

wire        s_done, r_done, sent, got;
wire        clearing = state == CLEAR;
wire        drying = state == DRY;
wire        beginning = state == BEGIN;
wire        running = state == RUN;
wire        late = timeout != 0 && silence == timeout;

assign takes = state == IDLE && start;

always @(posedge ap_clk) begin
    wait_count <= wait_count + 1;
    case (state)
        IDLE: begin
            wait_count <= 0;
            if (start) begin
                state <= CLEAR;
            end
        end
        CLEAR: if (!clears || wait_count == BUCKETS - 1) begin
            wait_count <= 0;
            state <= DRY;
        end
        DRY: begin
            if (got) begin
                wait_count <= 0;
            end
            if (!dries || wait_count == QUIET - 1) begin
                state <= BEGIN;
            end
        end
        BEGIN: state <= RUN;
        RUN: begin
            wait_count <= 0;
            if ((s_done && r_done) || late) begin
                state <= SETTLE;
            end
        end
        SETTLE: if (wait_count == SETTLING - 1) begin
            state <= DONE;
        end
        default: state <= IDLE;
    endcase
    if (rst) begin
        state <= IDLE;
    end
end

always @(posedge ap_clk) begin
    if (!running || sent || got) begin
        thousand <= 0;
        silence <= 0;
    end else begin
        thousand <= thousand + 1;
        silence <= silence + 32'(thousand == 1023);
    end
    if (beginning || rst) begin
        timed_out <= 1'b0;
    end else if (running && late && !(s_done && r_done)) begin
        timed_out <= 1'b1;
    end
end

// ---- both halves ----

wire        credit, s_ended, r_ended;
wire [63:0] s_messages, r_messages, s_stall, r_gap;
wire [63:0] wrong_beats, wrong_words, wrong_first, last_word, drained;
wire [W-1:0] wrong_data;

nb_send #(.W(W)) send (
    .clk(ap_clk), .rst(rst),
    .begin_in(beginning), .run(running), .iterations(iterations),
    .beats0(s_beats0), .count0(s_count0), .flags0(s_flags0),
    .beats1(s_beats1), .count1(s_count1), .flags1(s_flags1),
    .first(s_first), .step(s_step), .credit(credit),
    .out_tdata(out_tdata), .out_tvalid(out_tvalid), .out_tready(out_tready), .out_tlast(out_tlast),
    .done(s_done), .sent(sent), .ended(s_ended), .messages(s_messages), .stall(s_stall)
);

nb_recv #(.W(W)) recv (
    .clk(ap_clk), .rst(rst),
    .begin_in(beginning), .run(running), .drain(drying && dries), .forget(takes),
    .iterations(iterations),
    .beats0(r_beats0), .count0(r_count0), .flags0(r_flags0),
    .beats1(r_beats1), .count1(r_count1), .flags1(r_flags1),
    .first(r_first), .step(r_step), .credit(credit),
    .in_tdata(in_tdata), .in_tvalid(in_tvalid), .in_tready(in_tready),
    .done(r_done), .got(got), .ended(r_ended), .messages(r_messages), .gap(r_gap),
    .wrong_beats(wrong_beats), .wrong_words(wrong_words), .wrong_first(wrong_first),
    .wrong_data(wrong_data), .last_word(last_word), .drained(drained)
);

// ---- times ----

wire [63:0] now, s_begin, s_end, r_begin, r_end, samples, missed;
wire [31:0] least, greatest, bucket;
wire [9:0]  bucket_at;

nb_times times (
    .clk(ap_clk), .rst(rst),
    .clear_in(clearing && clears), .clear_at(wait_count[9:0]), .begin_in(beginning),
    .skip(skip), .group(group == 0 ? 16'd1 : group), .base(base),
    .sends(s_count0 != 0 || s_count1 != 0),
    .s_ended(s_ended && running), .r_ended(r_ended),
    .s_first(sent && running), .r_first(got && running),
    .now(now), .s_begin(s_begin), .s_end(s_end), .r_begin(r_begin), .r_end(r_end),
    .least(least), .greatest(greatest), .samples(samples), .missed(missed),
    .bucket_at(bucket_at), .bucket(bucket)
);

// ---- registers ----

wire [31:0]  status = {29'd0, missed != 0, wrong_beats != 0, timed_out};
wire [511:0] wrong_padded = 512'(wrong_data);

nb_regs regs (
    .clk(ap_clk), .rst(rst),
    .s_axi_awaddr(s_axi_control_awaddr),
    .s_axi_awvalid(s_axi_control_awvalid), .s_axi_awready(s_axi_control_awready),
    .s_axi_wdata(s_axi_control_wdata), .s_axi_wstrb(s_axi_control_wstrb),
    .s_axi_wvalid(s_axi_control_wvalid), .s_axi_wready(s_axi_control_wready),
    .s_axi_bresp(s_axi_control_bresp),
    .s_axi_bvalid(s_axi_control_bvalid), .s_axi_bready(s_axi_control_bready),
    .s_axi_araddr(s_axi_control_araddr),
    .s_axi_arvalid(s_axi_control_arvalid), .s_axi_arready(s_axi_control_arready),
    .s_axi_rdata(s_axi_control_rdata), .s_axi_rresp(s_axi_control_rresp),
    .s_axi_rvalid(s_axi_control_rvalid), .s_axi_rready(s_axi_control_rready),
    .interrupt(interrupt),
    .start(start), .ready_in(state == DONE), .done_in(state == DONE), .idle_in(state == IDLE),
    .arguments(arguments),
    .read_only({wrong_padded,                                   // 0x1c0
                320'd0, missed, samples, greatest, least,       // 0x180
                drained, last_word, wrong_first, wrong_words, wrong_beats, r_gap, s_stall,
                r_messages, s_messages, r_end, r_begin, s_end, s_begin, now,
                status, TURN, HISTOGRAM_BITS, 16'(BYTES), VERSION, MAGIC}),
    .bucket_at(bucket_at), .bucket(bucket)
);

assign out_tkeep = {BYTES{1'b1}};

`undef NB_WORD
`undef NB_LONG

endmodule

`default_nettype wire
