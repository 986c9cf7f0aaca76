// SPDX-License-Identifier: Apache-2.0
/*
 * nb_times: when iterations end, and how long they take: least, greatest, histogram.
 *
 * ports
 *   clear_in     clears the histogram's bucket `clear_at` and, in its first cycle, the extremes
 *   begin_in     one cycle: a launch begins
 *   skip         number of first iterations that are run but not measured
 *   group        iterations a sample, at least 1
 *   base         subtracted from a sample before the histogram counts it
 *   sends        samples are the sender's iterations; 0: the receiver's
 *   s_ended, r_ended   an iteration of either half ends in this cycle
 *   s_first, r_first   a beat of either half is taken in this cycle; used with skip 0
 *   bucket_at, bucket  the histogram; a bucket is valid one cycle after its address, between
 *                      launches
 *
 * timing
 *   begin is the end of the last skipped iteration; with skip 0, the first beat. end is the end of
 *   the last iteration so far. A sample is the time of `group` iterations, from end to end.
 *   Counting it takes four cycles. A sample that comes sooner is only counted as missed.
 *
 * With x = sample - base, 0 if negative, the bucket is x if x < 64, else (e + 1) 64 + (x >> e) mod
 * 64, e = floor(log2 x) - 6. Buckets are exact below 128, and to 1/64 above. The last bucket has no
 * end and counts all from 2^21 on.
 */
`default_nettype none

module nb_times (
    input  wire        clk,
    input  wire        rst,

    input  wire        clear_in,
    input  wire [9:0]  clear_at,
    input  wire        begin_in,
    input  wire [31:0] skip,
    input  wire [15:0] group,
    input  wire [31:0] base,
    input  wire        sends,
    input  wire        s_ended,
    input  wire        r_ended,
    input  wire        s_first,
    input  wire        r_first,

    output wire [63:0] now,
    output wire [63:0] s_begin,
    output wire [63:0] s_end,
    output wire [63:0] r_begin,
    output wire [63:0] r_end,
    output wire [31:0] least,
    output wire [31:0] greatest,
    output wire [63:0] samples,
    output wire [63:0] missed,

    input  wire [9:0]  bucket_at,
    output wire [31:0] bucket
);

// ---- the clock ----

reg [63:0] now_reg;

always @(posedge clk) begin
    now_reg <= now_reg + 1;
    if (rst) begin
        now_reg <= 0;
    end
end

// ---- begin and end of either half ----

reg [31:0] s_skipped, r_skipped;
reg        s_began, r_began;
reg [63:0] s_begin_reg, s_end_reg, r_begin_reg, r_end_reg;

always @(posedge clk) begin
    if (s_ended && !s_began && skip != 0) begin
        s_skipped <= s_skipped + 1;
        s_began <= s_skipped + 1 == skip;
        s_begin_reg <= now_reg;
    end
    if (s_first && !s_began && skip == 0) begin
        s_began <= 1'b1;
        s_begin_reg <= now_reg;
    end
    if (s_ended) begin
        s_end_reg <= now_reg;
    end
    if (begin_in || rst) begin
        s_skipped <= 0;
        s_began <= 1'b0;
        s_begin_reg <= 0;
        s_end_reg <= 0;
    end
end

always @(posedge clk) begin
    if (r_ended && !r_began && skip != 0) begin
        r_skipped <= r_skipped + 1;
        r_began <= r_skipped + 1 == skip;
        r_begin_reg <= now_reg;
    end
    if (r_first && !r_began && skip == 0) begin
        r_began <= 1'b1;
        r_begin_reg <= now_reg;
    end
    if (r_ended) begin
        r_end_reg <= now_reg;
    end
    if (begin_in || rst) begin
        r_skipped <= 0;
        r_began <= 1'b0;
        r_begin_reg <= 0;
        r_end_reg <= 0;
    end
end

// ---- samples: the difference, its bucket, the bucket's count, one more ----

wire       begins = sends ? (s_ended || s_first) && !s_began : (r_ended || r_first) && !r_began;
wire       counts = sends ? s_began && s_ended : r_began && r_ended;

reg [63:0] last;
reg [15:0] grouped;
reg [2:0]  busy;                // a bit for each cycle after the sample
reg [31:0] sample;
reg [9:0]  at;

wire        whole = counts && grouped + 1 == group;
wire [63:0] since = now_reg - last;

always @(posedge clk) begin
    if (begins || whole) begin
        last <= now_reg;
    end
    if (begins || whole || begin_in) begin
        grouped <= 0;
    end else if (counts) begin
        grouped <= grouped + 1;
    end
end

reg [31:0] least_reg, greatest_reg;
reg [63:0] samples_reg, missed_reg;

always @(posedge clk) begin
    busy <= {busy[1:0], whole && busy == 0};
    if (whole && busy == 0) begin
        sample <= since[63:32] != 0 ? 32'hffffffff : since[31:0];
    end
    if (rst) begin
        busy <= 0;
    end
end

reg first_clear;

always @(posedge clk) begin
    first_clear <= !clear_in;
    missed_reg <= missed_reg + 64'(whole && busy != 0);
    if (busy[0]) begin
        samples_reg <= samples_reg + 1;
        least_reg <= sample < least_reg ? sample : least_reg;
        greatest_reg <= sample > greatest_reg ? sample : greatest_reg;
    end
    if ((clear_in && first_clear) || rst) begin
        samples_reg <= 0;
        missed_reg <= 0;
        least_reg <= 32'hffffffff;
        greatest_reg <= 0;
    end
end

// The bucket of the sample.
wire [31:0] above = sample > base ? sample - base : 0;
reg  [4:0]  exponent;
reg  [5:0]  shifted;
reg  [9:0]  index;

always @* begin
    exponent = 0;
    for (int i = 7; i < 21; i++) begin
        if (above[i]) begin
            exponent = 5'(i) - 5'd6;
        end
    end
    shifted = 6'(above >> exponent);
    if (above[31:21] != 0) begin
        index = 10'd1023;
    end else if (above < 64) begin
        index = {4'd0, above[5:0]};
    end else begin
        index = {exponent[3:0] + 4'd1, shifted};
    end
end

// ---- the histogram: a memory with a write port and a read port; samples precede the host ----

reg [31:0] histogram[0:1023];
reg [31:0] word;
wire [9:0] read_at = busy[1] ? at : bucket_at;

always @(posedge clk) begin
    if (busy[0]) begin
        at <= index;
    end
    if (clear_in) begin
        histogram[clear_at] <= 0;
    end else if (busy[2]) begin
        histogram[at] <= word + 1;
    end
    word <= histogram[read_at];
end

assign now = now_reg;
assign s_begin = s_begin_reg;
assign s_end = s_end_reg;
assign r_begin = r_begin_reg;
assign r_end = r_end_reg;
assign least = least_reg;
assign greatest = greatest_reg;
assign samples = samples_reg;
assign missed = missed_reg;
assign bucket = word;


endmodule

`default_nettype wire
