// SPDX-License-Identifier: Apache-2.0
/*
 * nb_recv: the receiving half of nb_link. Counts beats, gives credits, compares every beat.
 *
 * The program is that of nb_send. With flag 0 a stage gives a credit after its last beat.
 *
 * ports
 *   begin_in     one cycle: takes the program and starts it
 *   run          beats are taken until the program has all
 *   drain        every beat is taken, and only `drained` counts it
 *   in_*         AXI stream; in_tready is a flip-flop, so a register has room for one more beat
 *   credit       one cycle, in the cycle after a stage's last beat was taken from in_*
 *   done         all beats have arrived
 *   got          a beat is taken by the program or the drain in this cycle
 *   ended        an iteration's last beat is taken in this cycle
 *   wrong_*      numbers of wrong beats and words; the first wrong beat and its number
 *
 * timing
 *   A beat that in_* hands over in cycle t is counted in t + 1. The comparison is a separate
 *   pipeline of three stages, and nothing waits for it. Its counters include the beat in t + 5.
 */
`default_nettype none

module nb_recv #(
    parameter W = 512
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         begin_in,
    input  wire         run,
    input  wire         drain,
    input  wire         forget,         // drained counts from 0 again
    input  wire [31:0]  iterations,
    input  wire [31:0]  beats0,
    input  wire [31:0]  count0,
    input  wire         flags0,
    input  wire [31:0]  beats1,
    input  wire [31:0]  count1,
    input  wire         flags1,
    input  wire [63:0]  first,
    input  wire [63:0]  step,

    output wire         credit,

    input  wire [W-1:0] in_tdata,
    input  wire         in_tvalid,
    output wire         in_tready,

    output wire         done,
    output wire         got,
    output wire         ended,
    output wire [63:0]  messages,
    output wire [63:0]  gap,
    output wire [63:0]  wrong_beats,
    output wire [63:0]  wrong_words,
    output wire [63:0]  wrong_first,
    output wire [W-1:0] wrong_data,
    output wire [63:0]  last_word,
    output wire [63:0]  drained
);

localparam WORDS = W / 64;
localparam [63:0] GOLDEN = 64'h9e3779b97f4a7c15;
localparam [63:0] ODD = 64'h0101010101010101;
localparam [63:0] NEXT_BEAT = GOLDEN * WORDS;

// ---- the skid buffer: a beat at its output, and room for one more ----

reg         in_ready_reg;
reg         skid_valid, beat_valid;
reg [W-1:0] skid_data, beat_data;

wire        want;
wire        take = beat_valid && want;
wire        arrives = in_tvalid && in_ready_reg;

always @(posedge clk) begin
    if (!beat_valid || take) begin
        beat_data <= skid_valid ? skid_data : in_tdata;
        beat_valid <= skid_valid || arrives;
        skid_valid <= 1'b0;
        in_ready_reg <= 1'b1;
    end else if (arrives) begin
        skid_data <= in_tdata;
        skid_valid <= 1'b1;
        in_ready_reg <= 1'b0;
    end
    if (rst) begin
        beat_valid <= 1'b0;
        skid_valid <= 1'b0;
        in_ready_reg <= 1'b0;
    end
end

// ---- the beat that is expected ----

reg         open;
reg         stage;
reg  [31:0] beat, message, iteration;
reg  [63:0] message_first, at, number;

wire [31:0] beats = stage ? beats1 : beats0;
wire [31:0] count = stage ? count1 : count0;
wire        flags = stage ? flags1 : flags0;
wire        both = count0 != 0 && count1 != 0;
wire        first_stage = count0 == 0;

wire        counts = take && run && !drain;
wire        message_ends = beat == beats - 1;
wire        stage_ends = message_ends && message == count - 1;
wire        iteration_ends = stage_ends && (stage || !both);
wire        program_ends = iteration_ends && iteration == iterations - 1;

assign want = drain || (run && open);

always @(posedge clk) begin
    if (begin_in) begin
        open <= iterations != 0 && (count0 != 0 || count1 != 0);
        stage <= first_stage;
        beat <= 0;
        message <= 0;
        iteration <= 0;
        message_first <= first;
        at <= first;
        number <= 0;
    end else if (counts) begin
        beat <= message_ends ? 0 : beat + 1;
        at <= message_ends ? message_first + step : at + NEXT_BEAT;
        number <= number + 1;
        if (message_ends) begin
            message_first <= message_first + step;
            message <= stage_ends ? 0 : message + 1;
        end
        if (stage_ends) begin
            stage <= both ? !stage : first_stage;
        end
        if (iteration_ends) begin
            iteration <= iteration + 1;
        end
        if (program_ends) begin
            open <= 1'b0;
        end
    end
    if (rst) begin
        open <= 1'b0;
    end
end

// ---- the comparison: the expected beat, which words differ, their number ----

reg             seen_valid, made_valid, told_valid;
reg [W-1:0]     seen_data, made_data, told_data;
reg [W-1:0]     made_expected;
reg [63:0]      seen_at, seen_number, made_number, told_number;
reg [WORDS-1:0] told_wrong;

always @(posedge clk) begin
    seen_valid <= counts;
    seen_data <= beat_data;
    seen_at <= at;
    seen_number <= number;

    made_valid <= seen_valid;
    made_data <= seen_data;
    made_number <= seen_number;
    for (int i = 0; i < WORDS; i++) begin
        made_expected[i*64 +: 64] <= (seen_at + 64'(i) * GOLDEN) | ODD;
    end

    told_valid <= made_valid;
    told_data <= made_data;
    told_number <= made_number;
    for (int i = 0; i < WORDS; i++) begin
        told_wrong[i] <= made_data[i*64 +: 64] != made_expected[i*64 +: 64];
    end
    if (begin_in || rst) begin
        seen_valid <= 1'b0;
        made_valid <= 1'b0;
        told_valid <= 1'b0;
    end
end

reg [63:0]  wrong_beats_reg, wrong_words_reg, wrong_first_reg;
reg [W-1:0] wrong_data_reg;
reg [3:0]   wrong_now;

always @* begin
    wrong_now = 0;
    for (int i = 0; i < WORDS; i++) begin
        wrong_now = wrong_now + 4'(told_wrong[i]);
    end
end

always @(posedge clk) begin
    if (told_valid && told_wrong != 0) begin
        wrong_beats_reg <= wrong_beats_reg + 1;
        wrong_words_reg <= wrong_words_reg + 64'(wrong_now);
        if (wrong_beats_reg == 0) begin
            wrong_first_reg <= told_number;
            wrong_data_reg <= told_data;
        end
    end
    if (begin_in || rst) begin
        wrong_beats_reg <= 0;
        wrong_words_reg <= 0;
        wrong_first_reg <= 0;
        wrong_data_reg <= 0;
    end
end

// ---- counters ----

reg [63:0] messages_reg, gap_reg, last_word_reg, drained_reg;

always @(posedge clk) begin
    messages_reg <= messages_reg + 64'(counts && message_ends);
    gap_reg <= gap_reg + 64'(run && open && !beat_valid && beat != 0);
    if (counts && beat == 0) begin
        last_word_reg <= beat_data[63:0];
    end
    if (begin_in || rst) begin
        messages_reg <= 0;
        gap_reg <= 0;
        last_word_reg <= 0;
    end
end

always @(posedge clk) begin
    drained_reg <= drained_reg + 64'(take && drain);
    if (forget || rst) begin
        drained_reg <= 0;
    end
end

assign credit = counts && stage_ends && flags;
assign in_tready = in_ready_reg;
assign done = !open;
assign got = take;
assign ended = counts && iteration_ends;
assign messages = messages_reg;
assign gap = gap_reg;
assign wrong_beats = wrong_beats_reg;
assign wrong_words = wrong_words_reg;
assign wrong_first = wrong_first_reg;
assign wrong_data = wrong_data_reg;
assign last_word = last_word_reg;
assign drained = drained_reg;

endmodule

`default_nettype wire
