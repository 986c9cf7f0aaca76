// SPDX-License-Identifier: Apache-2.0
/*
 * nb_send: the sending half of nb_link. Makes every message and sends it.
 *
 * Word i (64 bit) of message m is (first + m * step + i * GOLDEN) | ODD; m counts the messages of
 * the whole launch. The program is iterations x (stage 0, stage 1); a stage is `count` messages of
 * `beats` beats each. With flag 0 a stage waits for a credit before its first beat, with flag 1
 * after its last one.
 *
 * ports
 *   begin_in     one cycle: takes the program and starts it; the inputs must then stay stable until
 *                the next one
 *   run          a beat may leave the register of made beats
 *   credit       one cycle for each credit
 *   out_*        AXI stream; a valid beat stays until it is taken, even after the end of a launch
 *   done         all beats are taken, and all awaited credits have come
 *   sent         a beat is taken in this cycle
 *   ended        an iteration ends in this cycle: its last beat is taken or, with flag 1, its
 *                credit
 *
 * timing
 *   The next beat is made before its credit comes; the credit only opens the gate. After a credit
 *   in cycle t, which `credits` counts at the end of t, the output register has the beat in t + 2.
 *   Without waits a beat is sent in every cycle, also between messages and between iterations.
 */
`default_nettype none

module nb_send #(
    parameter W = 512
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         begin_in,
    input  wire         run,
    input  wire [31:0]  iterations,
    input  wire [31:0]  beats0,
    input  wire [31:0]  count0,
    input  wire [1:0]   flags0,
    input  wire [31:0]  beats1,
    input  wire [31:0]  count1,
    input  wire [1:0]   flags1,
    input  wire [63:0]  first,
    input  wire [63:0]  step,

    input  wire         credit,

    output wire [W-1:0] out_tdata,
    output wire         out_tvalid,
    input  wire         out_tready,
    output wire         out_tlast,

    output wire         done,
    output wire         sent,
    output wire         ended,
    output wire [63:0]  messages,
    output wire [63:0]  stall
);

localparam WORDS = W / 64;
localparam [63:0] GOLDEN = 64'h9e3779b97f4a7c15;
localparam [63:0] ODD = 64'h0101010101010101;
localparam [63:0] NEXT_BEAT = GOLDEN * WORDS;

// ---- the next beat to be made ----

reg         gen_valid;
reg         gen_stage;
reg  [31:0] gen_beat, gen_message, gen_iteration;
reg  [63:0] gen_first, gen_at;

wire [31:0] beats = gen_stage ? beats1 : beats0;
wire [31:0] count = gen_stage ? count1 : count0;
wire        waits = gen_stage ? flags1[1] : flags0[1];
wire        both = count0 != 0 && count1 != 0;
wire        first_stage = count0 == 0;

wire        message_ends = gen_beat == beats - 1;
wire        stage_ends = message_ends && gen_message == count - 1;
wire        iteration_ends = stage_ends && (gen_stage || !both);
wire        program_ends = iteration_ends && gen_iteration == iterations - 1;
wire        next_stage = both ? !gen_stage : first_stage;
wire        next_waits = next_stage ? flags1[0] : flags0[0];

// ---- a made beat, the beat in the output register, credits ----

reg         made_valid, made_last, made_ends, made_post, made_pre;
reg [W-1:0] made_data;
reg         out_valid_reg, out_last_reg, out_ends_reg;
reg [W-1:0] out_data_reg;
reg  [31:0] credits;
reg  [1:0]  owed;
reg         ending;

wire        taken = out_valid_reg && out_tready;
wire        room = !out_valid_reg || out_tready;
wire        pays = owed != 0 && credits != 0 && room;
wire        gate = owed == 0 || (owed == 1 && credits != 0);
wire        load = run && made_valid && room && gate;
wire        make = gen_valid && (!made_valid || load);

always @(posedge clk) begin
    if (begin_in) begin
        gen_valid <= iterations != 0 && (count0 != 0 || count1 != 0);
        gen_stage <= first_stage;
        gen_beat <= 0;
        gen_message <= 0;
        gen_iteration <= 0;
        gen_first <= first;
        gen_at <= first;
    end else if (make) begin
        gen_beat <= message_ends ? 0 : gen_beat + 1;
        gen_at <= message_ends ? gen_first + step : gen_at + NEXT_BEAT;
        if (message_ends) begin
            gen_first <= gen_first + step;
            gen_message <= stage_ends ? 0 : gen_message + 1;
        end
        if (stage_ends) begin
            gen_stage <= next_stage;
        end
        if (iteration_ends) begin
            gen_iteration <= gen_iteration + 1;
        end
        if (program_ends) begin
            gen_valid <= 1'b0;
        end
    end
    if (rst) begin
        gen_valid <= 1'b0;
    end
end

always @(posedge clk) begin
    if (make) begin
        for (int i = 0; i < WORDS; i++) begin
            made_data[i*64 +: 64] <= (gen_at + 64'(i) * GOLDEN) | ODD;
        end
        made_last <= message_ends;
        made_ends <= iteration_ends;
        made_post <= stage_ends && waits;
        made_pre <= stage_ends && next_waits && !program_ends;
    end
    made_valid <= make || (made_valid && !load);
    if (begin_in || rst) begin
        made_valid <= 1'b0;
    end
end

always @(posedge clk) begin
    if (load) begin
        out_data_reg <= made_data;
        out_last_reg <= made_last;
        out_ends_reg <= made_ends && !made_post;
    end
    out_valid_reg <= load || !room;
    if (rst) begin
        out_valid_reg <= 1'b0;
    end
end

// Credits to await before the next beat: one after a stage, one before the next stage, or both.
always @(posedge clk) begin
    credits <= credits + 32'(credit) - 32'(pays);
    if (load) begin
        owed <= 2'(made_post) + 2'(made_pre);
        ending <= made_ends && made_post;
    end else if (pays) begin
        owed <= owed - 1;
        ending <= 1'b0;
    end
    if (begin_in || rst) begin
        credits <= 0;
        owed <= {1'b0, !rst && (first_stage ? flags1[0] : flags0[0])};
        ending <= 1'b0;
    end
end

// ---- counters ----

reg [63:0] messages_reg, stall_reg;

always @(posedge clk) begin
    messages_reg <= messages_reg + 64'(taken && out_last_reg);
    stall_reg <= stall_reg + 64'(run && out_valid_reg && !out_tready);
    if (begin_in || rst) begin
        messages_reg <= 0;
        stall_reg <= 0;
    end
end

assign out_tdata = out_data_reg;
assign out_tvalid = out_valid_reg;
assign out_tlast = out_last_reg;
assign done = !gen_valid && !made_valid && !out_valid_reg && owed == 0;
assign sent = taken;
assign ended = (taken && out_ends_reg) || (pays && ending);
assign messages = messages_reg;
assign stall = stall_reg;

endmodule

`default_nettype wire
