// SPDX-License-Identifier: Apache-2.0
/*
 * nb_regs: the registers of nb_link, accessed by AXI4-Lite. registers.h defines them.
 *
 * Control is ap_ctrl_hs: start, done (cleared by reading), idle, ready, auto-restart; an interrupt
 * on done or ready. Arguments may be written at any time; a launch takes them when it starts.
 *
 * ports
 *   start        high from the write of the start bit until `ready_in`
 *   ready_in     one cycle: the launch has taken its arguments, and another may follow
 *   done_in      one cycle: the launch is over
 *   idle_in      no launch runs
 *   read_only    the registers from 0x100 to 0x1ff, lowest address first
 *   bucket_at, bucket   the histogram; a bucket is valid one cycle after its address
 *
 * timing
 *   A write is done when both address and data are valid. A read takes three cycles. Reading the
 *   low half of `now` keeps the high half of the same moment for the next read.
 */
`default_nettype none

module nb_regs (
    input  wire          clk,
    input  wire          rst,

    /* verilator lint_off UNUSEDSIGNAL */   // the lowest address bits, because registers are words
    input  wire [12:0]   s_axi_awaddr,
    input  wire [12:0]   s_axi_araddr,
    /* verilator lint_on UNUSEDSIGNAL */
    input  wire          s_axi_awvalid,
    output wire          s_axi_awready,
    input  wire [31:0]   s_axi_wdata,
    input  wire [3:0]    s_axi_wstrb,
    input  wire          s_axi_wvalid,
    output wire          s_axi_wready,
    output wire [1:0]    s_axi_bresp,
    output wire          s_axi_bvalid,
    input  wire          s_axi_bready,
    input  wire          s_axi_arvalid,
    output wire          s_axi_arready,
    output wire [31:0]   s_axi_rdata,
    output wire [1:0]    s_axi_rresp,
    output wire          s_axi_rvalid,
    input  wire          s_axi_rready,
    output wire          interrupt,

    output wire          start,
    input  wire          ready_in,
    input  wire          done_in,
    input  wire          idle_in,

    output wire [1471:0] arguments,     // 0x10 to 0xc7, lowest address first
    input  wire [2047:0] read_only,
    output wire [9:0]    bucket_at,
    input  wire [31:0]   bucket
);

localparam [10:0] AP_CTRL = 11'h000 >> 2, GIE = 11'h004 >> 2;
localparam [10:0] IER = 11'h008 >> 2, ISR = 11'h00c >> 2;
localparam [10:0] FIRST = 11'h010 >> 2, BEHIND = 11'h0c8 >> 2;
localparam [10:0] NOW = 11'h110 >> 2;
localparam ARGUMENTS = 46;              // words

// ---- writing: both channels together ----

reg         write_done;
wire        write = s_axi_awvalid && s_axi_wvalid && !write_done;
wire [10:0] write_at = s_axi_awaddr[12:2];
wire [31:0] lanes = {{8{s_axi_wstrb[3]}}, {8{s_axi_wstrb[2]}},
                     {8{s_axi_wstrb[1]}}, {8{s_axi_wstrb[0]}}};
wire [31:0] set = s_axi_wdata & lanes;

always @(posedge clk) begin
    write_done <= write || (write_done && !s_axi_bready);
    if (rst) begin
        write_done <= 1'b0;
    end
end

reg [31:0] values[0:ARGUMENTS-1];

always @(posedge clk) begin
    for (int i = 0; i < ARGUMENTS; i++) begin
        if (write && write_at == FIRST + 11'(i)) begin
            values[i] <= (values[i] & ~lanes) | set;
        end
        if (rst) begin
            values[i] <= 0;
        end
    end
end

// ---- reading: the address, the word, the answer ----

reg         read_begun, read_found, read_done;
reg  [10:0] read_at;
reg  [31:0] read_data;
reg         now_kept_valid;
reg  [31:0] now_high;
wire        read = s_axi_arvalid && s_axi_arready;

always @(posedge clk) begin
    if (read) begin
        read_at <= s_axi_araddr[12:2];
    end
    read_begun <= read;
    read_found <= read_begun;
    read_done <= read_found || (read_done && !s_axi_rready);
    if (rst) begin
        read_begun <= 1'b0;
        read_found <= 1'b0;
        read_done <= 1'b0;
    end
end

always @(posedge clk) begin
    if (read_found && read_at == NOW) begin
        now_high <= read_only[(11'h114 - 11'h100) * 8 +: 32];
        now_kept_valid <= 1'b1;
    end
    if (rst) begin
        now_kept_valid <= 1'b0;
    end
end

// ---- control ----

reg        start_reg, done_reg, ready_reg, restart_reg, gie;
reg [1:0]  ier, isr;

wire        control = write && write_at == AP_CTRL && s_axi_wstrb[0];
wire        looks = read_found && read_at == AP_CTRL;

always @(posedge clk) begin
    if (control && s_axi_wdata[0]) begin
        start_reg <= 1'b1;
    end else if (ready_in) begin
        start_reg <= restart_reg;
    end
    if (control) begin
        restart_reg <= s_axi_wdata[7];
    end
    done_reg <= done_in || (done_reg && !looks);
    ready_reg <= ready_in || (ready_reg && !looks);
    if (rst) begin
        start_reg <= 1'b0;
        restart_reg <= 1'b0;
        done_reg <= 1'b0;
        ready_reg <= 1'b0;
    end
end

// Interrupts: bit 0 done, bit 1 ready. Writing a one to isr toggles its bit.
wire [1:0] turned = write && write_at == ISR && s_axi_wstrb[0] ? s_axi_wdata[1:0] : 2'b00;

always @(posedge clk) begin
    if (write && write_at == GIE && s_axi_wstrb[0]) begin
        gie <= s_axi_wdata[0];
    end
    if (write && write_at == IER && s_axi_wstrb[0]) begin
        ier <= s_axi_wdata[1:0];
    end
    isr <= (isr ^ turned) | ({ready_in, done_in} & ier);
    if (rst) begin
        gie <= 1'b0;
        ier <= 0;
        isr <= 0;
    end
end

// ---- the word that is read ----

wire [5:0] argument_at = read_at[5:0] - FIRST[5:0];

always @(posedge clk) begin
    if (read_found) begin
        if (read_at[10]) begin
            read_data <= bucket;
        end else if (read_at == NOW + 1 && now_kept_valid) begin
            read_data <= now_high;
        end else if (read_at[9:6] == 4'h1) begin
            read_data <= read_only[{read_at[5:0], 5'd0} +: 32];
        end else if (read_at >= FIRST && read_at < BEHIND) begin
            read_data <= values[argument_at];
        end else begin
            case (read_at)
                AP_CTRL: read_data <= {24'd0, restart_reg, 3'd0, ready_reg,
                                       idle_in && !start_reg, done_reg, start_reg};
                GIE: read_data <= {31'd0, gie};
                IER: read_data <= {30'd0, ier};
                ISR: read_data <= {30'd0, isr};
                default: read_data <= 0;
            endcase
        end
    end
end

genvar a;
generate
    for (a = 0; a < ARGUMENTS; a = a + 1) begin : gather
        assign arguments[a*32 +: 32] = values[a];
    end
endgenerate

assign s_axi_awready = write;
assign s_axi_wready = write;
assign s_axi_bresp = 2'b00;
assign s_axi_bvalid = write_done;
assign s_axi_arready = !read_begun && !read_found && !read_done;
assign s_axi_rdata = read_data;
assign s_axi_rresp = 2'b00;
assign s_axi_rvalid = read_done;
assign interrupt = gie && isr != 0;
assign start = start_reg;
assign bucket_at = read_at[9:0];

endmodule

`default_nettype wire
