/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines each column by COLUMN(identifier, name, unit, type, heading, definition), grouped by
 * subject. A file that includes this one first defines COLUMN. Sentences that several definitions
 * share are macros in columns.c.
 */

/*
 * A quantile and the two bounds of its interval. The macro `text` makes the quantile's definition.
 */
#define COLUMN_QUANTILE(id, name, head, percent, least, text) \
	COLUMN(id, name "_s", "s", COL_REAL, head, text(percent, least)) \
	COLUMN(id##_LO, name "_lo_s", "s", COL_REAL, head " lo", \
		"Lower" TAIL_BOUND(name "_s", percent, least)) \
	COLUMN(id##_HI, name "_hi_s", "s", COL_REAL, head " hi", \
		"Upper" TAIL_BOUND(name "_s", percent, least))

/* The median of single samples, which is the main number, and its bounds. */
#define COLUMN_SINGLE_MEDIAN(id, name, head, what, iteration, mean) \
	COLUMN(id, name "_s", "s", COL_REAL, head, "Median of " what "." iteration RESOLUTION \
		" It is the main number, because it stays the same when other work now and then " \
		"takes the processor. The mean, " mean ", includes those interruptions.") \
	COLUMN(id##_LO, name "_lo_s", "s", COL_REAL, "lo", "Lower" SINGLE_BOUND(name "_s")) \
	COLUMN(id##_HI, name "_hi_s", "s", COL_REAL, "hi", "Upper" SINGLE_BOUND(name "_s"))

/* The two bounds of the interval of a rate, and the rate of the slowest repetition. */
#define COLUMN_BOUNDS(id, name, suffix, unit, what, tail) \
	COLUMN(id##_LO, name "_lo_" suffix, unit, COL_REAL, "lo", what " of one repetition " \
		"divided by time_hi_s, the upper bound of the " INTERVAL tail) \
	COLUMN(id##_HI, name "_hi_" suffix, unit, COL_REAL, "hi", what " of one repetition " \
		"divided by time_lo_s, the lower bound of the " INTERVAL tail) \
	COLUMN(id##_MIN, name "_min_" suffix, unit, COL_REAL, "min", what " of one repetition " \
		"divided by the time of the slowest repetition." tail)

/* How the ranks of one role in a farm spend their time. */
#define COLUMN_SHARES(id, role, ranks) \
	COLUMN(id, role "_computed", "", COL_REAL, "", ranks ": share of the time spent in " \
		"reading data packets and in occupying the processor." OBSERVED) \
	COLUMN(id##_SENT, role "_communicated", "", COL_REAL, "", ranks ": share of the time " \
		"spent in sending, which includes waits for a free buffer to send from, and in " \
		"receiving messages that had already arrived." OBSERVED) \
	COLUMN(id##_WAITED, role "_waited", "", COL_REAL, "", ranks ": share of the time spent " \
		"in waiting: for a message that had not arrived, until it was received, and at " \
		"the end for the other ranks." OBSERVED)

/* A time of a model in s, and the same time in cycles. */
#define COLUMN_TIME(id, name, head, text) \
	COLUMN(id, name "_s", "s", COL_REAL, head, text) \
	COLUMN(id##_CYCLES, name "_cycles", "cycles", COL_REAL, head, IN_CYCLES(name "_s"))

/* The values of files A and B in one of compared_units. */
#define COLUMN_COMPARED(id, suffix, unit) \
	COLUMN(id, "value_a_" suffix, unit, COL_REAL, "A", COMPARED_VALUE("A")) \
	COLUMN(id##_B, "value_b_" suffix, unit, COL_REAL, "B", COMPARED_VALUE("B"))

/* columns for the point, and for the number of its repetitions */
COLUMN(COL_SIZE, "size_B", "B", COL_UINT, "MSize",
	"Length of one message in bytes, as the user handed it to the backend. Headers that a "
	"protocol adds are not included.")
COLUMN(COL_WINDOW, "window", "", COL_UINT, "window",
	"Messages that a sender sends before it waits for the receiver. In msgrate and bandwidth "
	"the receiver answers the whole window with one reply, or acknowledges each message: see "
	"`ack`. A sender has at most this number of messages in flight. For a point that would "
	"take too long the window is smaller than the default.")
COLUMN(COL_BATCH, "batch", "", COL_UINT, "batch",
	"Messages that are handed to the backend together and started by one doorbell. A window is "
	"posted batch by batch, so a batch is never larger than `window`.")
COLUMN(COL_PAIRS, "pairs", "", COL_UINT, "pairs",
	"Pairs of one sender and one receiver that exchange messages at the same time. A rank "
	"belongs to one pair only.")
COLUMN(COL_ACK, "ack", "", COL_TEXT, "ack",
	"What acknowledges messages. reply: the receiver answers each window with one reply of 1 "
	"byte, and the next window begins after it. For the other values the window slides: at "
	"most `window` messages are unacknowledged, and each is acknowledged by itself. transport: "
	"the completion of a message's send, which on RC means that the receiver's interface has "
	"the message, or the completion of a read. message: a message of 1 byte, which the "
	"receiver sends as soon as its receive is complete. Empty for reads without a sliding "
	"window.")
COLUMN(COL_LOOPS, "loops", "", COL_UINT, "looplength",
	"Iterations of the command's exchange inside one timed round. An iteration of beff is one "
	"message to each neighbour by every rank. An iteration of latency is one ping-pong. An "
	"iteration of msgrate and bandwidth is one window of messages and its reply. In the ATLAS "
	"benchmarks an iteration of 1.1 is one round trip. One of 1.2 and 1.4 is a window of "
	"messages, and one of 2.3 is one event at each destination. For the other ATLAS benchmarks "
	"see event_s.")
COLUMN(COL_REPETITIONS, "repetitions", "", COL_UINT, "reps",
	"Number of timed rounds of the point; each is one sample of its statistics. All timed "
	"rounds count; warm-up rounds do not.")

/* columns for the repetitions: median, its 95 % interval (LO, HI), quantiles, autocorrelation */
COLUMN(COL_TIME_MIN, "time_min_s", "s", COL_REAL, "min",
	"Time of the fastest repetition of the point. For beff it is the fastest of the first "
	"`best_of` repetitions of a visit; with several visits it is the median of these times. By "
	"beff's rule hpcc-fpga each rank has its own fastest time among the point's first "
	"`best_of` repetitions. The value is then the longest of these times, which need not be of "
	"one repetition." REPETITION WHOLE_ROUND)
COLUMN(COL_TIME, "time_s", "s", COL_REAL, "time",
	"Median of the times of the point's repetitions." REPETITION WHOLE_ROUND)
COLUMN(COL_TIME_LO, "time_lo_s", "s", COL_REAL, "lo",
	"Lower bound of the interval of time_s, the " INTERVAL REPETITION WHOLE_ROUND)
COLUMN(COL_TIME_HI, "time_hi_s", "s", COL_REAL, "hi",
	"Upper bound of the interval of time_s, the " INTERVAL REPETITION WHOLE_ROUND)
COLUMN(COL_TIME_P90, "time_p90_s", "s", COL_REAL, "p90", TIME_TAIL("90", "36"))
COLUMN(COL_TIME_P99, "time_p99_s", "s", COL_REAL, "p99", TIME_TAIL("99", "368"))
COLUMN(COL_TIME_MAX, "time_max_s", "s", COL_REAL, "max",
	"Time of the slowest repetition of the point." REPETITION WHOLE_ROUND)
COLUMN(COL_TIME_ACF1, "time_acf1", "", COL_REAL, "acf1",
	"Lag-1 autocorrelation of the repetitions' times, in the order of measurement. The "
	"repetitions are not independent if it is above 0.1 and above the limit of chance, "
	"1.645/sqrt(n) - 1/n. Then the interval of the median comes from epochs: see `ci_method`. "
	"Empty with fewer than 3 repetitions, and if all times are equal.")

/* columns of latency; those from MIN on are statistics of single iterations of all repetitions */
COLUMN(COL_HALF_RTT_MEAN, "half_rtt_mean_s", "s", COL_REAL, "mean",
	"Half of the mean round trip of one message: the total time of the point's repetitions, "
	"divided by 2 and by the total number of their round trips." REPETITION " It includes all "
	"interruptions of these cores. A few long interruptions change it, but do not change "
	"half_rtt_p50_s. `stalled` says how far the two differ.")
COLUMN(COL_HALF_RTT_EPOCH, "half_rtt_epoch_s", "s", COL_REAL, "epoch",
	"Half of the round trip of one message: the median over the point's repetitions of t/(2 "
	"loops), where t is the time of a repetition. Rank 0, which sends first, is the only rank "
	"timed." REPETITION " It is neither a one-way time nor the L of LogP. It is a median of "
	"means over `loops` round trips. So it includes short interruptions by other work on these "
	"cores, which half_rtt_p50_s does not. In results of map it is the median over the visits "
	"of a pair of hosts. The value of a visit is the median, over its repetitions, of each "
	"repetition's median single round trip. Where ranks share cores, the shortest round trip "
	"takes the place of these medians. Where the backend takes no time stamps, the means of "
	"repetitions do.")
COLUMN(COL_HALF_RTT_EPOCH_LO, "half_rtt_epoch_lo_s", "s", COL_REAL, "epoch lo",
	"Lower " INTERVAL_OF("half_rtt_epoch_s", "t/(2 loops)") OF_MAP_BOUND)
COLUMN(COL_HALF_RTT_EPOCH_HI, "half_rtt_epoch_hi_s", "s", COL_REAL, "epoch hi",
	"Upper " INTERVAL_OF("half_rtt_epoch_s", "t/(2 loops)") OF_MAP_BOUND)
COLUMN(COL_HALF_RTT_MIN, "half_rtt_min_s", "s", COL_REAL, "min",
	"Half of the shortest single round trip." ITERATION " It is one sample, not a quantile. In "
	"results of map it is the smallest value of the visits of a pair.")
COLUMN_SINGLE_MEDIAN(COL_HALF_RTT_P50, "half_rtt_p50", "half rtt", "half of the single round "
	"trips", ITERATION, "half_rtt_mean_s")
COLUMN_QUANTILE(COL_HALF_RTT_P90, "half_rtt_p90", "p90", "90", "36", HALF_RTT_TAIL)
COLUMN_QUANTILE(COL_HALF_RTT_P99, "half_rtt_p99", "p99", "99", "368", HALF_RTT_TAIL)
COLUMN_QUANTILE(COL_HALF_RTT_P999, "half_rtt_p999", "p99.9", "99.9", "3688", HALF_RTT_TAIL)
COLUMN(COL_HALF_RTT_MAX, "half_rtt_max_s", "s", COL_REAL, "max",
	"Half of the longest single round trip." ITERATION " It is one sample, not a quantile.")
COLUMN(COL_READ_MEAN, "read_mean_s", "s", COL_REAL, "mean",
	"Mean time of one read: the total time of the point's repetitions, divided by the total "
	"number of their reads." REPETITION)
COLUMN(COL_READ_EPOCH, "read_epoch_s", "s", COL_REAL, "epoch",
	"Time of one read of the other rank's memory, from posting it to its completion. It is the "
	"median over the point's repetitions of t/loops, where t is the time of a repetition. It "
	"is a whole round trip, not half of one. Rank 0 reads; the other rank's processor takes no "
	"part." REPETITION)
COLUMN(COL_READ_EPOCH_LO, "read_epoch_lo_s", "s", COL_REAL, "epoch lo",
	"Lower " INTERVAL_OF("read_epoch_s", "t/loops"))
COLUMN(COL_READ_EPOCH_HI, "read_epoch_hi_s", "s", COL_REAL, "epoch hi",
	"Upper " INTERVAL_OF("read_epoch_s", "t/loops"))
COLUMN(COL_READ_MIN, "read_min_s", "s", COL_REAL, "min",
	"The shortest single read." READ_ITERATION " It is one sample, not a quantile.")
COLUMN_SINGLE_MEDIAN(COL_READ_P50, "read_p50", "read", "the times of single reads",
	READ_ITERATION, "read_mean_s")
COLUMN_QUANTILE(COL_READ_P90, "read_p90", "p90", "90", "36", READ_TAIL)
COLUMN_QUANTILE(COL_READ_P99, "read_p99", "p99", "99", "368", READ_TAIL)
COLUMN_QUANTILE(COL_READ_P999, "read_p999", "p99.9", "99.9", "3688", READ_TAIL)
COLUMN(COL_READ_MAX, "read_max_s", "s", COL_REAL, "max",
	"The longest single read." READ_ITERATION " It is one sample, not a quantile.")

/*
 * rates: MIN is the rate of the slowest repetition, MAX that of the fastest; for beff MAX is b(L)
 */
COLUMN(COL_RATE, "rate_msgps", "msg/s", COL_REAL, "msg/s",
	"Messages of one repetition divided by the median time of the repetitions, never a mean "
	"of rates." MESSAGES REPETITION)
COLUMN_BOUNDS(COL_RATE, "rate", "msgps", "msg/s", "Messages", MESSAGES REPETITION)
COLUMN(COL_RATE_MAX, "rate_max_msgps", "msg/s", COL_REAL, "max",
	"Messages of one repetition divided by the time of the fastest repetition." MESSAGES
	REPETITION)
COLUMN(COL_PAIR_RATE, "pair_rate_msgps", "msg/s", COL_REAL, "per pair",
	"Share of one pair: rate_msgps divided by `pairs`, while all pairs send at the same "
	"time. The time is that of the slowest pair, so this is not the rate of a pair alone.")
COLUMN(COL_BANDWIDTH, "bandwidth_Bps", "B/s", COL_REAL, "B/s",
	"Bytes of one repetition divided by the median time of the repetitions, never a mean of "
	"bandwidths." BYTES REPETITION NO_BYTES OF_MAP)
COLUMN_BOUNDS(COL_BANDWIDTH, "bandwidth", "Bps", "B/s", "Bytes",
	BYTES REPETITION NO_BYTES OF_MAP_BOUND)
COLUMN(COL_BANDWIDTH_MAX, "bandwidth_max_Bps", "B/s", COL_REAL, "max",
	"Bytes of one repetition divided by the time of the fastest repetition (time_min_s). For "
	"beff this is b(L), whose mean over the sizes is b_eff. With several visits each visit has "
	"its own b(L), from the best of its first `best_of` repetitions, and its own b_eff. This "
	"column then comes from the median of the visits' times, and b_eff is the median of the "
	"visits' b_eff." BYTES REPETITION NO_BYTES)
COLUMN(COL_BIDIRECTIONAL, "bidirectional_Bps", "B/s", COL_REAL, "both ways",
	"Bytes in both directions together while two hosts send to each other at the same time, "
	"divided by the time of the slower host. The rows of both directions have the same value."
	OF_MAP NO_BYTES)
COLUMN(COL_BIDIRECTIONAL_LO, "bidirectional_lo_Bps", "B/s", COL_REAL, "lo",
	"Lower bound of bidirectional_Bps." OF_MAP_BOUND)
COLUMN(COL_BIDIRECTIONAL_HI, "bidirectional_hi_Bps", "B/s", COL_REAL, "hi",
	"Upper bound of bidirectional_Bps." OF_MAP_BOUND)
COLUMN(COL_PAIR_BANDWIDTH, "pair_bandwidth_Bps", "B/s", COL_REAL, "per pair",
	"Share of one pair: bandwidth_Bps divided by `pairs`, while all pairs send at the same "
	"time. The time is that of the slowest pair, so this is not the bandwidth of a pair "
	"alone." NO_BYTES)

/* columns of models; after each time in s comes the same time in cycles */
COLUMN(COL_MODEL_TIME, "model_s", "s", COL_REAL, "model",
	"Computed, not measured: the model's time for what the row names. For a board it is the "
	"time from the start of a message of size_B bytes to its end at the receiver. With c "
	"channels of w bytes and clock f it is ceil(L/(c w))/f + latency, or twice that if send "
	"and receive loops run one after the other. For LogP and LogGP it is the time of the row's "
	"`pattern`, from the start of the first send until the last rank has received its data. "
	"For streams and farms it is the interval at which messages or events follow each other. "
	"For RDMA it is the time of one message, from its posting until its receiver has it, or of "
	"one read until its completion. For a stage of a message it is the stage's time. If the "
	"row has measured_s, both are times of the same thing.")
COLUMN(COL_MODEL_CYCLES, "model_cycles", "cycles", COL_REAL, "model",
	"The same as model_s in processor cycles, or in the unit of the model's parameters if that "
	"is not a unit of time.")
COLUMN(COL_MODEL_PAIR, "pair_model_Bps", "B/s", COL_REAL, "pair",
	"Computed, not measured: size_B divided by model_s, the bandwidth of one kernel pair."
	NO_BYTES)
COLUMN(COL_MODEL_CARD, "card_model_Bps", "B/s", COL_REAL, "card",
	"Computed, not measured: pair_model_Bps times the number of kernel pairs of one card."
	NO_BYTES)
COLUMN(COL_MODEL_BANDWIDTH, "bandwidth_model_Bps", "B/s", COL_REAL, "total",
	"Computed, not measured. For boards it is card_model_Bps times the number of cards, since "
	"the model scales linearly. For RDMA it is rate_model_msgps times size_B." NO_BYTES)
COLUMN(COL_ARITY, "arity", "", COL_UINT, "k", "The k of a k-ary or k-nomial tree.")
COLUMN(COL_MESSAGES, "messages", "", COL_UINT, "messages",
	"Messages that one rank sends one after the other. In an exchange both ranks send this "
	"number; in a ping-pong it is the number of round trips.")
COLUMN(COL_SEGMENT_SIZE, "segment_B", "B", COL_UINT, "segment",
	"Bytes of the segments that a message is cut into, so that ranks pass the first ones on "
	"while others arrive. If no size was given, it is the size that takes the least time.")
COLUMN_TIME(COL_UPPER, "upper_bound", "bound",
	"Computed: the textbook's closed form of an upper bound on model_s, with whole numbers for "
	"the depths of trees.")
COLUMN_TIME(COL_LECTURE, "lecture", "lecture",
	"Computed: what Hoefler's lecture HPC Networking Basics prints for model_s. For "
	"broadcasts along a k-ary or k-nomial tree it is an upper bound with plain logarithms, "
	"log_k P (L + (k-1) max(o, g) + 2o). Between powers of k this can be less than model_s. "
	"For an FFT in block or cyclic layout it is (g n/P + L) log2 P; in hybrid layout, as in "
	"Culler et al. (1993), it is g (n/P - n/P^2) + L. Both are for g > 2o.")
COLUMN_TIME(COL_COMPUTING, "computing", "computing",
	"Computed: `butterflies` times the time of one butterfly, which is 1 cycle if no time was "
	"given.")
COLUMN_TIME(COL_TOTAL, "total", "total",
	"Computed: the sum of model_s and computing_s, without overlap.")
COLUMN(COL_MODEL_FREQUENCY, "frequency_model_Hz", "Hz", COL_REAL, "frequency",
	"Computed, not measured: 1/model_s. For a stream it is messages a second. For a farm it is "
	"events a second, with the credits of --credits, or with enough credits if that is not "
	"given.")
COLUMN(COL_SENDER, "sender", "", COL_UINT, "from",
	"The rank that sends the broadcast to the receiver; empty for rank 0. In results of map it "
	"is the number of the host that sends.")
COLUMN(COL_RECEIVER, "receiver", "", COL_UINT, "rank",
	"The rank that gets the broadcast in this row; rank 0 has it from the start. In results "
	"of map it is the number of the host that receives, from 0 in the order of the hosts.")
COLUMN_TIME(COL_SENT, "sent", "sent",
	"Computed: when the sender begins to send, counted from the start of the broadcast.")
COLUMN_TIME(COL_INFORMED, "informed", "informed",
	"Computed: when the receiver has the message and may send it on, L + 2o after it was "
	"sent.")
COLUMN_TIME(COL_AFTER, "after", "t",
	"Time since the start of a broadcast. The table has a row for time 0 and for each time at "
	"which the message reaches processors.")
COLUMN(COL_PROCESSORS, "processors", "", COL_UINT, "P(t)",
	"Computed: number of processors that can have the message at the row's time, if every "
	"processor that has it keeps sending it.")
COLUMN(COL_LEAST, "processors_least", "", COL_REAL, "at least",
	"Computed: a lower bound on `processors`, 2^floor(t / max(A, m)), where A = L + 2o and m = "
	"max(o, g).")
COLUMN(COL_MOST, "processors_most", "", COL_REAL, "at most",
	"Computed: an upper bound on `processors`, 2^floor(t / min(A, m)). Empty from 2^1024 on.")
COLUMN(COL_LECTURE_LEAST, "lecture_least", "", COL_REAL, "lecture: >=",
	"Computed: processors_least as Hoefler's lecture HPC Networking Basics prints it for g <= "
	"o, 2^floor(t / (L + 2o)). It is not a bound where g > L + 2o.")
COLUMN(COL_LECTURE_MOST, "lecture_most", "", COL_REAL, "lecture: <=",
	"Computed: processors_most as the same lecture prints it, 2^floor(t / o). Empty from "
	"2^1024 on, and where o is 0.")
COLUMN(COL_POINT_SIZE, "point_B", "B", COL_UINT, "point", "Bytes of a point of an FFT.")
COLUMN(COL_LAYOUT, "layout", "", COL_TEXT, "layout",
	"How the rows of an FFT's butterfly are placed on processors: block, cyclic, or hybrid: "
	"cyclic at first, and block after a remap.")
COLUMN(COL_BUTTERFLIES, "butterflies", "", COL_UINT, "butterflies",
	"Computing steps of each processor, one for each row and column of its part of the "
	"butterfly: (n/P) log2 n. Their time is computing_s; model_s is communication alone.")
COLUMN(COL_REMAPS, "remaps", "", COL_UINT, "remaps",
	"Number of times that all data move from one layout to the other.")
COLUMN(COL_CONFIGURATION, "configuration", "", COL_TEXT, "configuration",
	"Name of the row's window and batch: sequential (1, 1), unbatched (64, 1) or batched "
	"(256, 8).")
COLUMN(COL_MODEL_RATE, "rate_model_msgps", "msg/s", COL_REAL, "msg/s",
	"Computed, not measured: messages a second. For RDMA it is the rate of one connection, "
	"which is the rate of its slowest stage. For LogGP it is the rate of one pair of ranks, "
	"whose window ends with a reply or slides: see `ack`.")
COLUMN(COL_MODEL_RTT, "rtt_model_s", "s", COL_REAL, "rtt",
	"Computed, not measured: the time from the first work request of a batch until the "
	"completion of its last one is seen. For LogGP it is the time from a message's send until "
	"its acknowledgement is received.")
COLUMN(COL_BINDING, "binding", "", COL_TEXT, "bound by",
	"The stage with the lowest rate. For RDMA it is CPU (posting), sending NIC (its work on a "
	"message), wire (the message's bytes), receiving NIC, receiver (its CPU), or window "
	"(waiting for completions). For LogGP it is gap, processor (o_s + o_r, as each rank sends "
	"and receives once a message), or window.")
COLUMN(COL_KNEE, "knee_window", "", COL_REAL, "knee",
	"The smallest window that no longer limits the rate at batch 1: the round trip of one "
	"message times the rate of the slowest other stage.")
COLUMN(COL_MEASURED, "measured_s", "s", COL_REAL, "measured",
	"The measured time that model_s predicts, from a result that was read. It is "
	"half_rtt_epoch_s, gap_s or event_s; time_s of a window divided by its messages; or "
	"time_min_s of a ring divided by its loops. If that result was simulated, so is this "
	"value.")
COLUMN(COL_RATIO, "measured_over_model", "", COL_REAL, "meas/model",
	"Quotient of measured_s and model_s. Above 1 the operation takes longer than the model "
	"says.")
COLUMN(COL_REMARK, "remark", "", COL_TEXT, "",
	"A remark about the row: a formula is a bound or approximate, the row is the best of its "
	"group, or a formula does not apply. For a comparison it is the reason why a verdict is "
	"missing. The point is in one file only, lacks a value, had wrong content, or lacks an "
	"interval, which needs 6 repetitions. For two maps it names the host, the group or the "
	"pair that changed. For the gate of a history it states the finding in words.")
COLUMN(COL_STAGE, "stage", "", COL_TEXT, "stage",
	"The stage that a message is in, named after the model's parameter that gives its time.")
COLUMN(COL_PLACE, "place", "", COL_TEXT, "at",
	"Where the stage takes place: a processor (P0, P1) or a network interface (NIC).")
COLUMN(COL_TO_PLACE, "to_place", "", COL_TEXT, "to",
	"Where this stage moves the message to; empty if the message stays.")
COLUMN_TIME(COL_BEGINS, "begins", "begins",
	"Computed: when the stage begins, counted from the start of the first.")
COLUMN_TIME(COL_ENDS, "ends", "ends",
	"Computed: when the stage ends, counted from the start of the first.")

/* columns of every measured point */
COLUMN(COL_STOP, "stop", "", COL_TEXT, "stop",
	"The rule that ended the point's repetitions. ci: the interval of the median became narrow "
	"enough. repetitions: their number was reached. point-time, time-limit: the time of the "
	"point or of the run was spent. deterministic: in virtual time all repetitions are equal, "
	"so one is enough. slow: the point has fewer than 6 repetitions, because one more would "
	"have exceeded the time of a point, 10 s, or --point-time if that is longer. A point that "
	"a signal interrupts has no row.")
COLUMN(COL_CI_METHOD, "ci_method", "", COL_TEXT, "interval",
	"Method of the 95 % interval of the median, which covers what changes within this run. "
	"visits, with 6 or more visits: order statistics of the visits' medians; with 6 these are "
	"the smallest and the largest. visits, with fewer visits that disagree: the lowest and the "
	"highest bound of any visit's own interval. The other methods are for fewer than 6 visits. "
	"order statistics: of the point's repetitions. epochs: repetitions depend on those before "
	"them, so the interval is of the medians of 6 to 20 consecutive parts. Each part has at "
	"least 2 (1 + r)/(1 - r) repetitions. r is an autocorrelation: the larger of time_acf1 and "
	"that of the side of the median (above or below) of each repetition. It exceeds 0.1 and "
	"1.645/sqrt(n) - 1/n. none: fewer than 30 repetitions, or too few epochs.")
COLUMN(COL_VISITS, "visits", "", COL_UINT, "visits",
	"Number of visits to the point. The visits to all points are in random order. The "
	"repetitions of all visits count together; the number of loops is that of the first visit. "
	"A run that ended early has fewer visits to some points. A slow point also has fewer "
	"visits. In results of map it counts the visits with a value of this pair.")
COLUMN(COL_BEST_OF, "best_of", "", COL_UINT, "best of",
	"Number of repetitions that the best was chosen from: the first 6 of every size in each "
	"visit, or all if these are fewer. The number is fixed because the best of more "
	"repetitions is better.")
COLUMN(COL_CHECKED, "checked", "", COL_UINT, "checked",
	"Messages of the point whose content was compared with what was sent. After every round, "
	"pilot and warm-up included, netbench checks the messages of its last iteration. Of a "
	"message over 4 KiB it compares the first 8 bytes of every 4 KiB, and the last ones. These "
	"bytes differ from the content before the round, but not between the round's iterations. "
	"One further round, as long as the timed ones, also counts: netbench compares every byte "
	"that it leaves. With --verify full a second further round follows, in which netbench "
	"checks the messages one by one. With several visits only the first visit has these "
	"further rounds. With --verify every or every-timed all messages of all rounds count, and "
	"each message differs from every other. In all modes one more iteration after each round "
	"detects messages that the round has left over. For a slow point this iteration comes "
	"after the last round, and every byte of each round is compared.")
COLUMN(COL_ERRORS, "errors", "", COL_UINT, "errors",
	"Messages among those of `checked` with at least one wrong byte. If it is not 0, the run "
	"fails, and the row's times cannot be trusted. It is also 0 if nothing was checked: see "
	"`checked`.")
COLUMN(COL_LATE, "late", "", COL_UINT, "late",
	"Repetitions of the point in which a rank missed the common start by more than 5 % of the "
	"repetition's time. Their time still counts from that start, and they count like the other "
	"repetitions. Always 0 where ranks start after a barrier, which has no common instant.")
/* columns of latency under load */
#define COLUMN_ESTIMATE(id, name, suffix, unit, head, text) \
	COLUMN(id, name suffix, unit, COL_REAL, head, text) \
	COLUMN(id##_LO, name "_lo" suffix, unit, COL_REAL, head " lo", \
		"Lower" LOAD_BOUND(name suffix)) \
	COLUMN(id##_HI, name "_hi" suffix, unit, COL_REAL, head " hi", \
		"Upper" LOAD_BOUND(name suffix))
#define COLUMN_LOAD_TIMES(id, name, head, what) \
	COLUMN_ESTIMATE(id##_P50, name "_p50", "_s", "s", head "p50", LOAD_TIME("50", what)) \
	COLUMN_ESTIMATE(id##_P90, name "_p90", "_s", "s", head "p90", LOAD_TIME("90", what)) \
	COLUMN_ESTIMATE(id##_P99, name "_p99", "_s", "s", head "p99", LOAD_TIME("99", what)) \
	COLUMN_ESTIMATE(id##_P999, name "_p999", "_s", "s", head "p99.9", \
		LOAD_TIME("99.9", what)) \
	COLUMN(id##_MEAN, name "_mean_s", "s", COL_REAL, head "mean", "Mean time of " what) \
	COLUMN(id##_MAX, name "_max_s", "s", COL_REAL, head "max", "Longest time of " what)
COLUMN(COL_VICTIM, "victim", "", COL_TEXT, "victim",
	"What is measured under load: round trips of one message (pingpong), windows of "
	"messages and their reply (bandwidth), or sums over all victims (allreduce).")
COLUMN(COL_AGGRESSOR, "aggressor", "", COL_TEXT, "aggressor",
	"Pattern of the load. incast: all aggressors send to the first one. alltoall: each sends "
	"to all others in turn. permutation: each sends to another one, by a fixed shift. "
	"broadcast: the first one sends to all others. Patterns joined by + take turns.")
COLUMN(COL_PLACEMENT, "placement", "", COL_TEXT, "placement",
	"How ranks became victims and aggressors: by name, or by --place and the seed.")
COLUMN(COL_SHARES_HOST, "shares", "", COL_TEXT, "shares",
	"Value host: a victim and an aggressor share a host with its cores and its interface. The "
	"measured times are then not due to the network's congestion alone.")
COLUMN(COL_LOOP, "loop", "", COL_TEXT, "loop",
	"When an event begins. closed: once the previous one has ended. open: at a scheduled "
	"instant.")
COLUMN(COL_RATE_ASKED, "rate_asked_Hz", "Hz", COL_REAL, "rate asked",
	"Events a second that each victim should begin in an open loop.")
COLUMN_ESTIMATE(COL_RATE_ACHIEVED, "rate_achieved", "_Hz", "Hz", "rate",
	"Events a second that a victim ended under load: the median over epochs.")
COLUMN(COL_LOAD_ASKED, "load_asked", "", COL_REAL, "load asked",
	"Load that was asked for, as a fraction of what the aggressors deliver alone in a closed "
	"loop. At 1 they send in a closed loop; below 1 they send at scheduled instants.")
COLUMN_ESTIMATE(COL_LOAD_ACHIEVED, "load_achieved", "", "", "load",
	"Bytes that aggressors received while victims were measured, as a fraction of what they "
	"receive alone: the median over epochs.")
COLUMN_LOAD_TIMES(COL_LATENCY, "latency", "",
	"the events, under load, of the victim that suffers most. The time of an event is from the "
	"instant at which it should have begun to its end, a whole round trip.")
COLUMN_LOAD_TIMES(COL_QUIET, "quiet", "quiet ",
	"the same victim's events without load, in epochs that alternate at random with the loaded "
	"ones.")
COLUMN_LOAD_TIMES(COL_SERVICE, "service", "service ",
	"the same events under load, timed from their real send on. In an open loop this leaves "
	"out the wait for events before them.")
COLUMN_ESTIMATE(COL_FACTOR_P50, "factor_p50", "", "", "factor p50",
	"How many times longer the median event takes under load: exp of the median, over pairs of "
	"epochs, of ln(loaded / quiet). For victim bandwidth it is the quiet rate divided by the "
	"loaded rate.")
COLUMN_ESTIMATE(COL_FACTOR_P99, "factor_p99", "", "", "factor p99",
	"How many times longer the 99 % point of the event times is under load: exp of the "
	"median, over pairs of epochs, of ln(loaded / quiet).")
COLUMN(COL_UNANSWERED, "unanswered", "", COL_UINT, "unanswered",
	"Events of all victims that should have begun and had not ended when their epoch ended. "
	"They count in the quantiles as longer than any that ended.")
COLUMN(COL_BACKLOG, "backlog_max", "", COL_UINT, "backlog",
	"The most events of a victim that should have begun and had not ended at one time.")
COLUMN(COL_LATE_SENDS, "late_sends", "", COL_UINT, "late",
	"Events that were sent later than scheduled, by more than 5 % of the median.")
COLUMN(COL_EPOCHS, "epochs", "", COL_UINT, "epochs",
	"Pairs of a quiet and a loaded epoch that enter the statistics.")
COLUMN(COL_NOTE, "note", "", COL_TEXT, "",
	"Why the point was not measured here; all cells that would hold a result are then empty. "
	"Or, in a measured row, why it was measured in another way. Empty otherwise.")

/* columns of collective operations */
COLUMN(COL_OPERATION, "operation", "", COL_TEXT, "operation",
	"The collective operation. size_B is count times type size of the MPI call: the vector of "
	"one rank for bcast, reduce, allreduce and reduce-scatter; the block of one rank, or for "
	"one rank, for scatter, gather, allgather and alltoall; 0 for barrier.")
COLUMN(COL_ROOT, "root", "", COL_TEXT, "root",
	"Rank that sends to all or receives from all. rotate: repetition i has root i modulo "
	"ranks. Empty for operations without a root.")
COLUMN(COL_COLLECTIVE, "collective_s", "s", COL_REAL, "until out", "Time of the operation: "
	COLLECTIVE_TIME " Median of single operations." RESOLUTION)
COLUMN(COL_COLLECTIVE_LO, "collective_lo_s", "s", COL_REAL, "lo",
	"Lower" SINGLE_BOUND("collective_s"))
COLUMN(COL_COLLECTIVE_HI, "collective_hi_s", "s", COL_REAL, "hi",
	"Upper" SINGLE_BOUND("collective_s"))
COLUMN(COL_COLLECTIVE_MIN, "collective_min_s", "s", COL_REAL, "min",
	"Time of the quickest operation: " COLLECTIVE_TIME)
COLUMN(COL_COLLECTIVE_P90, "collective_p90_s", "s", COL_REAL, "p90",
	COLLECTIVE_TAIL("90", "36", "5"))
COLUMN(COL_COLLECTIVE_P99, "collective_p99_s", "s", COL_REAL, "p99",
	COLLECTIVE_TAIL("99", "368", "0.5"))
COLUMN(COL_COLLECTIVE_MAX, "collective_max_s", "s", COL_REAL, "max",
	"Time of the slowest operation: " COLLECTIVE_TIME " Empty if an operation began late.")
COLUMN(COL_RANK_P50, "rank_p50_s", "s", COL_REAL, "half out",
	"From the agreed start until half of the ranks are out of the operation. Median over "
	"operations.")
COLUMN(COL_RANK_FIRST, "rank_first_s", "s", COL_REAL, "first out",
	"From the agreed start until the first rank is out of the operation. Median over "
	"operations.")
COLUMN(COL_SPREAD, "spread", "", COL_REAL, "spread",
	"How unequally the ranks leave the operation: (T - first)/T. T is the time of the "
	"operation, and `first` is the time until the first rank is out. Median over operations.")
COLUMN(COL_LATE_STARTS, "late_starts", "", COL_UINT, "late",
	"Operations that a rank began later than agreed, by more than 5 % of the median and 100 "
	"ns. They are left out of collective_s, because they did not begin at the agreed start. If "
	"more than 1 % of a block began late, it is measured again with starts further apart.")
COLUMN(COL_CLOCK_ERROR, "clock_error_s", "s", COL_REAL, "clock",
	"Bound on the error of a rank's clock against rank 0's: half of the quickest round trip "
	"in the comparison of the two; the largest of all ranks.")
COLUMN(COL_ALGBW, "algbw_Bps", "B/s", COL_REAL, "algbw",
	"Bytes of the operation divided by collective_s, as nccl-tests has it: size_B, or ranks "
	"times size_B for scatter, gather, allgather and alltoall." NO_BYTES)
COLUMN(COL_BUSBW, "busbw_Bps", "B/s", COL_REAL, "busbw",
	"Bytes that the busiest rank must at least send or receive, divided by collective_s, as "
	"nccl-tests has it." NO_BYTES)
COLUMN(COL_BEHIND_BARRIER, "behind_barrier_s", "s", COL_REAL, "behind barrier",
	"Time of the operation after a barrier. Each rank times it from its own start to its own "
	"end, by its own clock, and the longest time counts. Median of single operations. Ranks "
	"leave a barrier one after the other, so this is not collective_s: it may be more or less.")
COLUMN(COL_BEHIND_BARRIER_LO, "behind_barrier_lo_s", "s", COL_REAL, "lo",
	"Lower" SINGLE_BOUND("behind_barrier_s"))
COLUMN(COL_BEHIND_BARRIER_HI, "behind_barrier_hi_s", "s", COL_REAL, "hi",
	"Upper" SINGLE_BOUND("behind_barrier_s"))
COLUMN(COL_OSU_AVG, "osu_avg_s", "s", COL_REAL, "OSU avg",
	"Mean over the ranks of each rank's mean of its own times after a barrier: the first "
	"column of the OSU benchmarks. It is not the time until anything is complete.")
COLUMN(COL_OSU_MIN, "osu_min_s", "s", COL_REAL, "OSU min",
	"The smallest of the ranks' means of their own times after a barrier.")
COLUMN(COL_OSU_MAX, "osu_max_s", "s", COL_REAL, "OSU max",
	"The largest of the ranks' means of their own times after a barrier.")
COLUMN(COL_SUM, "sum_s_per_B", "s/B", COL_REAL, "sum",
	"Time in which a rank adds one byte of a vector of doubles to another, or takes the larger "
	"ones with --reduce-op max. Measured once in a run, by all ranks at the same time, with "
	"vectors of 32 KiB; the largest of the ranks' medians. Empty for operations that add "
	"nothing.")
COLUMN(COL_OVERLAP, "overlap", "", COL_REAL, "overlap",
	"Share of the operation that is hidden if ranks compute from its start for as long as it "
	"takes alone, and then complete it: 1 - (time of both - time of computing)/(time alone), "
	"as in the OSU benchmarks, which print it in percent; at least 0 and at most 1. Median "
	"over repetitions.")
COLUMN(COL_BACK_TO_BACK, "back_to_back_s", "s", COL_REAL, "in a row",
	"Time of `loops` operations in a row, divided by `loops`. Ranks may run ahead of others, "
	"so it approaches the interval at which operations can follow each other." REPETITION)
COLUMN(COL_BACK_TO_BACK_LO, "back_to_back_lo_s", "s", COL_REAL, "lo",
	"Lower " INTERVAL_OF("back_to_back_s", "t/loops"))
COLUMN(COL_BACK_TO_BACK_HI, "back_to_back_hi_s", "s", COL_REAL, "hi",
	"Upper " INTERVAL_OF("back_to_back_s", "t/loops"))

COLUMN(COL_LAUNCH_NOTE, "launch_note", "", COL_TEXT, "launch",
	"Present only where a device runs the rounds, as FPGA cards do. It is a warning if "
	"launch_share is above 1 %: the times are too long by this share, and the rates too low. "
	"More loops make it smaller.")
COLUMN(COL_LAUNCH_SHARE, "launch_share", "", COL_REAL, "",
	"Present only where a device runs the rounds, as FPGA cards do. It is the time to launch a "
	"round, measured by itself (environment.backend.launch_s), divided by the median time of "
	"the repetitions, which includes the launch. Unless the user sets the loops, netbench "
	"chooses them so that the share is below 0.01.")
COLUMN(COL_LINK_STALL, "link_stall", "", COL_REAL, "",
	"Present only where a device counts the cycles of its link, as FPGA link cores do. It is "
	"the share of the point's longest round on rank 0 during which a message was ready but the "
	"link took none of it. The link is then slower than the core, or its other end holds it "
	"up.")
COLUMN(COL_LINK_GAP, "link_gap", "", COL_REAL, "",
	"Present only where a device counts the cycles of its link, as FPGA link cores do. It is "
	"the share of the point's longest round on rank 0 during which a message had begun to "
	"arrive but no part of it came.")
COLUMN(COL_DISTURBANCE, "disturbance", "", COL_TEXT, "disturbed",
	"The word interrupted if `stalled` is above 0.1, else empty. Other work then ran on these "
	"cores between the messages: trust the median, not the mean.")
COLUMN(COL_STALLED, "stalled", "", COL_REAL, "stalled",
	"Share of the mean time that exceeds the median: 1 - median/mean, or 0 if this is "
	"negative. The mean is half_rtt_mean_s or read_mean_s. The median is that of single round "
	"trips or reads, or without time stamps that of repetitions. The usual cause is "
	"interruptions.")

/* columns of the ATLAS benchmarks; from COL_SHARES on, each of a farm's four roles has three */
COLUMN(COL_BENCHMARK, "benchmark", "", COL_TEXT, "benchmark",
	"The row's benchmark: its number in ATLAS DAQ note 48, 1.1 to 2.3. In results of check it "
	"is the command that measures the same, or both-ways for its bandwidth in both directions.")
COLUMN(COL_RANKS, "ranks", "", COL_UINT, "ranks",
	"Ranks that take part in the benchmark, senders and receivers together. Further ranks of "
	"the job are idle. For a model it is the number of processors, P.")
COLUMN(COL_PEERS, "peers", "", COL_TEXT, "peers",
	"The ranks at the other end, in the order in which they are served. They are the peers of "
	"rank 0, or in 1.4 of ranks 0, 1, 2 and so on. Empty if they are the next ranks in order.")
COLUMN(COL_LOAD, "load", "", COL_TEXT, "load",
	"The ranks with a computing task beside them: none, the sender, the receiver, or both. "
	"The task has lower priority (SCHED_IDLE, or nice 19) and runs on the same processor "
	"while they communicate. Where every rank sends and receives, both is the same as either.")
COLUMN(COL_ALGORITHM, "algorithm", "", COL_TEXT, "algorithm",
	"How the multicast gets from the sender to all receivers. linear: the sender sends to each "
	"in turn. binary, k-ary, binomial, k-nomial: receivers pass it on along such a tree. "
	"optimal: along the tree that is the quickest under LogP. native: the transport's own "
	"operation. netbench-collective(1) lists the algorithms of collective operations. Models "
	"have further ones: chain and binary (in segments, each passed on as soon as it has come), "
	"and scatter-ring (a scatter, then a ring). An all-to-all is blocking (everything is sent, "
	"then received) or non-blocking. For pipelines it is the number of sources, stages and "
	"destinations of each of the pipelines side by side.")
COLUMN(COL_SOURCES, "sources", "", COL_UINT, "sources",
	"Ranks that send the data packets of an event, one packet each.")
COLUMN(COL_STAGES, "stages", "", COL_UINT, "stages",
	"Ranks of the middle level of a pipeline. Each takes a packet from each of its sources "
	"and sends one on.")
COLUMN(COL_DESTINATIONS, "destinations", "", COL_UINT, "dests",
	"Ranks that complete events. In a farm they take turns; in a pipeline each completes the "
	"events of its own branch, and all of them count.")
COLUMN(COL_CREDITS, "credits", "", COL_UINT, "credits",
	"Largest number of events that the supervisor has given out and whose decision it has not "
	"received. The default is four for each destination, and at least 16.")
COLUMN(COL_OCCUPATION, "occupation_s", "s", COL_REAL, "occup.",
	"Time that each data packet occupies a receiver's processor, beside reading it. The amount "
	"of work is calibrated at the start, so that it takes this time if nothing disturbs it.")
COLUMN(COL_OCCUPATION_GOT, "occupation_achieved_s", "s", COL_REAL, "achieved",
	"Mean time that the work of occupation_s took, over all packets and receivers of the "
	"observed repetitions. It is longer where others take the processor away. Empty without "
	"occupation.")
COLUMN(COL_MESSAGE, "message_s", "s", COL_REAL, "message",
	"Time per message: the median time of the repetitions divided by the messages of one "
	"sender in one repetition. In 1.7 the messages of all senders count, since one rank "
	"receives them; in 1.1 it is half of a round trip. It is measured from user to user. Where "
	"messages follow each other without a wait it is the interval between them, not the time "
	"that one of them takes." REPETITION)
COLUMN(COL_EVENT, "event_s", "s", COL_REAL, "event",
	"Time of one iteration: the median time of the repetitions divided by `loops`. An "
	"iteration of 1.1, 1.2 and 1.4 is one message (as message_s). One of 1.3 is a message from "
	"every rank to every other. One of 1.5 is a message to each of the receivers. In 1.6 it is "
	"one multicast, from the sender's start until the last receiver has it. The clock is that "
	"of their machine, or clocks that were compared; without either, each rank counts from its "
	"own start. An iteration of 1.7 is a message from each of the senders, and one of 2.1 to "
	"2.3 is an event." REPETITION)
COLUMN(COL_EVENT_LO, "event_lo_s", "s", COL_REAL, "lo",
	"Computed like event_s, but instead of the median time from the lower bound of its "
	INTERVAL REPETITION)
COLUMN(COL_EVENT_HI, "event_hi_s", "s", COL_REAL, "hi",
	"Computed like event_s, but instead of the median time from the upper bound of its "
	INTERVAL REPETITION)
COLUMN(COL_FREQUENCY, "frequency_Hz", "Hz", COL_REAL, "frequency",
	"Iterations a second: 1/event_s. In 2.1 to 2.3 it is the event frequency, from the start "
	"of the first event to the end of the last one. In 2.3 the events of all destinations "
	"count." REPETITION)
COLUMN(COL_FREQUENCY_LO, "frequency_lo_Hz", "Hz", COL_REAL, "lo",
	"Iterations a second, 1/event_hi_s. It comes from the upper bound of the " INTERVAL
	REPETITION)
COLUMN(COL_FREQUENCY_HI, "frequency_hi_Hz", "Hz", COL_REAL, "hi",
	"Iterations a second, 1/event_lo_s. It comes from the lower bound of the " INTERVAL
	REPETITION)
COLUMN(COL_INTERVAL_P50, "interval_p50_s", "s", COL_REAL, "p50",
	"Median of the times from one event to the next, as rank 0 sees them" INTERVALS)
COLUMN(COL_INTERVAL_P90, "interval_p90_s", "s", COL_REAL, "p90", INTERVAL_TAIL("90", "36"))
COLUMN_QUANTILE(COL_INTERVAL_P99, "interval_p99", "p99", "99", "368", INTERVAL_TAIL)
COLUMN(COL_INTERVAL_MAX, "interval_max_s", "s", COL_REAL, "max",
	"Longest time from one event to the next, as rank 0 sees them" INTERVALS)
COLUMN(COL_PROCESS_BANDWIDTH, "process_bandwidth_Bps", "B/s", COL_REAL, "each",
	"Share of bandwidth_Bps that each sender has (1.1 to 1.4, 1.7), or each receiver (1.5, "
	"1.6)." NO_BYTES)
COLUMN(COL_COMM_SLOWDOWN, "communication_slowdown", "", COL_REAL, "comm x",
	"Ratio of event_s to that of the same point without any computing task, measured in the "
	"same run.")
COLUMN(COL_COMM_SLOWDOWN_LO, "communication_slowdown_lo", "", COL_REAL, "lo", "Lower" COMM_BOUND)
COLUMN(COL_COMM_SLOWDOWN_HI, "communication_slowdown_hi", "", COL_REAL, "hi", "Upper" COMM_BOUND)
COLUMN(COL_COMPUTE_SLOWDOWN, "computing_slowdown", "", COL_REAL, "comp x",
	"Work a second of all computing tasks of the point while no rank communicates, divided by "
	"their work a second during the timed rounds. Empty if they did no work during these "
	"rounds, as where the communication never gives up the processor.")
COLUMN(COL_COMPUTE_SLOWDOWN_LO, "computing_slowdown_lo", "", COL_REAL, "lo", "Lower" COMPUTE_BOUND)
COLUMN(COL_COMPUTE_SLOWDOWN_HI, "computing_slowdown_hi", "", COL_REAL, "hi", "Upper" COMPUTE_BOUND)
COLUMN(COL_PROCESSOR_SHARE, "processor_share", "", COL_REAL, "cpu",
	"Share of one processor that a rank and its computing task got together, according to the "
	"system's accounting. It is the smallest value over the ranks with such a task, both while "
	"the task computed alone and during the timed rounds. The rest up to 1 went to other "
	"programs, to the hypervisor, or to ranks that share the processor. It is above 1 where "
	"the task has found another, idle processor.")
COLUMN(COL_SLOWDOWN_NOTE, "slowdown_note", "", COL_TEXT, "slowdowns",
	"A warning about the row's slowdowns. busy: processor_share is below 0.9, so other work "
	"also contributes to the slowdowns. no interval: one of them has repetitions that are too "
	"few or too much alike to bound it on both sides.")
COLUMN(COL_T0, "t0_s", "s", COL_REAL, "t0",
	"Overhead: t0 of the line t = t0 + n/r_inf over the message length n, where t is message_s "
	"(1.6, 2.1 to 2.3: event_s). The line is fitted to the lengths of the series measured so "
	"far; the line of the last row is fitted to all. The fit is Theil-Sen: its slope is the "
	"median of the slopes between all pairs of points. A negative value is not an overhead: "
	"the times are then not linear in the length. Empty with fewer than three lengths.")
COLUMN(COL_R_INF, "r_inf_Bps", "B/s", COL_REAL, "r_inf",
	"Maximum throughput that the line of t0_s tends to with growing messages. It is the "
	"throughput of one message after the other, so of one sender, or in 2.1 to 2.3 of one "
	"packet an event. bandwidth_Bps may be higher where several messages are on their way at "
	"once. The value is extrapolated, not measured. Empty unless the time grows with the "
	"length by at least 1 % of t0_s up to the longest message.")
COLUMN(COL_N_HALF, "n_half_B", "B", COL_REAL, "n_1/2",
	"Message length at which the line of t0_s reaches half of r_inf_Bps: t0_s times "
	"r_inf_Bps.")
COLUMN(COL_BOUND, "bound", "", COL_TEXT, "bound by",
	"What limits the farm. A role: its ranks waited least for messages in the observed "
	"repetitions, on average less than a quarter of the time. In virtual time a rank does not "
	"wait while its interface is busy. The other words mean that all roles waited longer. "
	"credits: the supervisor waited for a decision while it had given out all credits, and "
	"destinations waited for the first message of an event. Each waited for at least a quarter "
	"of the time, so more credits help. latency: all other cases. processors: replaces credits "
	"and latency where ranks share cores, as ranks may have waited for a core.")
COLUMN_SHARES(COL_SHARES, "supervisor", "Supervisor")
COLUMN_SHARES(COL_SOURCE_SHARES, "source", "Sources")
COLUMN_SHARES(COL_STAGE_SHARES, "stage", "Stages")
COLUMN_SHARES(COL_DESTINATION_SHARES, "destination", "Destinations")

/* columns of beff by the rule hlrs */
COLUMN(COL_PATTERN, "pattern", "", COL_TEXT, "pattern",
	"Which rank sends what to which. By the rule hlrs of beff it is rings and a number from 1 "
	"to 6, or random and a number. These rings have 2, 4, 8, max(16, n/4), max(32, n/2) and n "
	"of the n ranks, in their order. random is one ring of all ranks in a random order, drawn "
	"by --seed. For a model it is the operation whose time the row gives. Its messages have "
	"size_B bytes, or one word in a table without that column.")
COLUMN(COL_RINGS, "rings", "", COL_TEXT, "rings",
	"Number of the pattern's rings, and of the ranks in a ring. All rings exchange messages at "
	"the same time.")
COLUMN(COL_PATTERN_BANDWIDTH, "pattern_bandwidth_Bps", "B/s", COL_REAL, "B/s",
	"Bandwidth of the pattern: the arithmetic mean, over the message sizes, of the best "
	"repetition of the best method. The bandwidth of a repetition is the bytes that all ranks "
	"have sent, divided by the time of the slowest rank.")

/* parameters of LogGP, and errors of their fit; report.c adds COL_EMULATED */
COLUMN(COL_GAP, "gap_s", "s", COL_REAL, "gap",
	"Interval at which messages of one sender follow each other to one receiver. It is a slope "
	"(Theil-Sen): that of the time of 2, 4, 8, 16 and 32 messages with one reply, as a "
	"function of their number. The value is the median over the rounds. In LogGP's terms it is "
	"the largest of o_s, o_r and g + (k-1) G.")
COLUMN(COL_SEND, "send_s", "s", COL_REAL, "send",
	"Time that the sender spends on one message. It is the time of a burst of up to 64 sends, "
	"until all are handed over, divided by their number; the time to read the clock is "
	"subtracted. The value is the median over the rounds. For messages that wait for their "
	"receiver it includes that wait.")
COLUMN(COL_SEND_DELAYED, "send_delayed_s", "s", COL_REAL, "delayed",
	"The same as send_s from another experiment. Rank 0 sends eight messages and occupies its "
	"processor for one and a half round trips between them; an answer follows. From this time "
	"netbench subtracts the time of one message and an answer, and the time of the occupation. "
	"The remainder divided by seven is the value of a round; the column is the median over the "
	"rounds. Empty where that is less than 0, and where the backend has no message operations.")
COLUMN(COL_RECEIVE, "receive_s", "s", COL_REAL, "receive",
	"Time that the receiver spends on one message that has already arrived. It is the time to "
	"receive a burst of up to 64 messages, divided by their number; the time to read the clock "
	"is subtracted. The messages were sent at least 1 ms before. The value is the median over "
	"the rounds.")
COLUMN(COL_EMULATED, "emulated", "", COL_TEXT, "emulated",
	"Present only where something on this machine stands in for what should be measured, such "
	"as emulated FPGA cards. Every row then has \"emulated\": its times are those of an "
	"emulator, not of a network.")
COLUMN(COL_SEGMENT, "segment", "", COL_UINT, "segment",
	"The number of the segment, from 1, that the message length belongs to. A segment is a "
	"range of lengths that follow one protocol, with one line for each quantity. The fit finds "
	"the segments.")
COLUMN(COL_HALF_RTT_EPOCH_ERROR, "half_rtt_epoch_error", "", COL_REAL, "err",
	FIT_ERROR("half_rtt_epoch_s"))
COLUMN(COL_GAP_ERROR, "gap_error", "", COL_REAL, "err", FIT_ERROR("gap_s"))
COLUMN(COL_SEND_ERROR, "send_error", "", COL_REAL, "err", FIT_ERROR("send_s"))
COLUMN(COL_RECEIVE_ERROR, "receive_error", "", COL_REAL, "err", FIT_ERROR("receive_s"))

/* columns of map: a row is a pair */
COLUMN(COL_SENDER_HOST, "sender_host", "", COL_TEXT, "from", "The name of the host that sends.")
COLUMN(COL_RECEIVER_HOST, "receiver_host", "", COL_TEXT, "to",
	"The name of the host that receives.")
COLUMN(COL_CLASS, "class", "", COL_TEXT, "class",
	"The class of both hosts; hosts are judged within their class. If the two hosts differ in "
	"class, it names both classes, and the pair is not judged. With a topology it is the "
	"distance of the two hosts: same host, same switch, other. The pair is then compared with "
	"pairs of the same distance. Empty without classes and topology.")

/* columns of doctor: a row is a finding */
COLUMN(COL_FINDING, "finding", "", COL_TEXT, "finding",
	"What the doctor checked: a name that stays the same between versions, such as governor or "
	"memlock.")
COLUMN(COL_SEVERITY, "severity", "", COL_TEXT, "severity",
	"How serious a finding is. wrong: it keeps something from running or makes numbers "
	"wrong. note: it may do so. ok: no action is needed.")
COLUMN(COL_SUBJECT, "subject", "", COL_TEXT, "subject",
	"The backend, device or host that the finding is about, where there are several. Else "
	"empty.")
COLUMN(COL_FOUND_ON, "hosts", "", COL_TEXT, "hosts",
	"The hosts with this finding, with blanks between them; empty if all hosts have it.")
COLUMN(COL_FOUND, "found", "", COL_TEXT, "found",
	"What was found, and what that means for measurements. For several hosts the numbers are "
	"those of the first.")
COLUMN(COL_REMEDY, "remedy", "", COL_TEXT, "remedy",
	"What the user can do about the finding; empty if no action is needed.")

/* columns of runs */
COLUMN(COL_RUNS, "runs", "", COL_UINT, "runs",
	"Runs of the whole command line that have a value at this point. Where commands are "
	"compared it is the number of blocks, each with a run of both commands. For a history it "
	"is the runs of the night.")
COLUMN(COL_RUN_SPREAD, "run_spread", "", COL_REAL, "spread",
	"Change of a run's cost from that of the run before it: the root mean square of the "
	"difference of their logarithms. 0.03 is 3 %. Where commands are compared it is that of "
	"the first one.")
COLUMN(COL_RUN_VISIBLE, "visible", "", COL_REAL, "visible",
	"The smallest slowdown that this number of blocks detects with a probability of 80 %, "
	"computed from run_spread. 0.05 is 5 %.")
COLUMN(COL_RUN_COMMAND, "command_b", "", COL_TEXT, "B",
	"The label of command B, which is compared with A, the first command. The column exists "
	"only where several commands are compared with A.")
COLUMN(COL_P_WORSE, "p_worse", "", COL_REAL, "p worse",
	"The p-value of the hypothesis that B is slower than A by at most the margin. It is "
	"adjusted for all points.")

/* columns of history */
COLUMN(COL_SERIES, "series", "", COL_TEXT, "series",
	"Name of a series of comparable runs: their command, backend and hosts.")
COLUMN(COL_POINT, "point", "", COL_TEXT, "point",
	"One of the points of the series whose slowdown is largest. The columns that distinguish "
	"points name it.")
COLUMN(COL_QUANTITY, "quantity", "", COL_TEXT, "quantity",
	"The column of the results that the cost is taken from: a time, or a rate, whose cost is "
	"its reciprocal.")
COLUMN(COL_NIGHT, "night", "", COL_TEXT, "night",
	"The date of the night's first run, UTC; ? if the result has no date.")
COLUMN(COL_NIGHT_DAYS, "night_days", "", COL_REAL, "days",
	"Days from the first run of the series to the first run of this night. Without dates it is "
	"the number of the night, from 0.")
COLUMN(COL_COST, "cost", "", COL_REAL, "cost",
	"Median cost of the night's runs, as a multiple of the median of the first 7 nights: 1.1 "
	"is 10 % slower.")
COLUMN(COL_COST_LO, "cost_lo", "", COL_REAL, "cost lo",
	"Smallest cost of a run of this night, in the unit of `cost`. It is not the bound of an "
	"interval.")
COLUMN(COL_COST_HI, "cost_hi", "", COL_REAL, "cost hi",
	"Largest cost of a run of this night, in the unit of `cost`. It is not the bound of an "
	"interval.")
COLUMN(COL_COST_LEVEL, "cost_level", "", COL_REAL, "level",
	"Median of `cost` over the nights between the lasting change before and the one after.")
COLUMN(COL_COST_LEVEL_LO, "cost_level_lo", "", COL_REAL, "level lo",
	"Lower end of the 95 % interval of `cost_level`, by the order of the nights. Empty below 6 "
	"nights.")
COLUMN(COL_COST_LEVEL_HI, "cost_level_hi", "", COL_REAL, "level hi",
	"Upper end of the 95 % interval of `cost_level`.")
COLUMN(COL_CHANGES, "changes", "", COL_UINT, "changes",
	"Number of lasting changes of the point up to this night; 0 before the first change.")

/* columns of compare; COL_COMPARED has values of A and B for each of compared_units */
COLUMN(COL_COMPARED_FILE, "file_b", "", COL_TEXT, "B",
	"The file of result B, which is compared with A. The column exists only where several "
	"results are compared with A.")
COLUMN_COMPARED(COL_COMPARED, "s", "s")
COLUMN_COMPARED(COL_COMPARED_BPS, "Bps", "B/s")
COLUMN_COMPARED(COL_COMPARED_MSGPS, "msgps", "msg/s")
COLUMN_COMPARED(COL_COMPARED_HZ, "Hz", "Hz")
COLUMN_COMPARED(COL_COMPARED_CYCLES, "cycles", "cycles")
COLUMN(COL_COMPARED_RATIO, "ratio", "", COL_REAL, "B/A",
	"Value of file B divided by that of file A. For a time, above 1 means slower; for a rate, "
	"above 1 means faster.")
COLUMN(COL_COMPARED_LO, "ratio_lo", "", COL_REAL, "lo", "Lower" COMPARED_BOUND)
COLUMN(COL_COMPARED_HI, "ratio_hi", "", COL_REAL, "hi", "Upper" COMPARED_BOUND)
COLUMN(COL_METHOD, "method", "", COL_TEXT, "method",
	"How the interval of `ratio` was computed. exact: both values are computed, not measured. "
	"These methods are for one run of each. intervals: from the bound of one file's 95 % "
	"interval of the median time to the opposite bound of the other's; it covers at least 95 "
	"%. bootstrap: the 2.5 % and 97.5 % points of the ratio of the medians over 20000 "
	"resamples of the repetitions of both. The generator always has the same seed. epochs: "
	"like bootstrap, but where a file's repetitions depend on one another, the medians of "
	"epochs replace them. An epoch is one of 6 to 20 consecutive parts. These methods cover "
	"changes from run to run. spread: the ratio, widened by the difference that two runs of "
	"one command show, for all points together. blocks: the median of the Walsh averages of "
	"the blocks' log ratios, with bounds by the signed-rank statistic. groups: the median of "
	"the differences of logarithms between all runs of B and A, with bounds by the statistic "
	"of Mann and Whitney. visits: for a pair in two maps, two standard errors to either side "
	"of the ratio of the medians; the error comes from the differences between visits of "
	"pairs. Empty without an interval.")
COLUMN(COL_P_VALUE, "p_value", "", COL_REAL, "p",
	"Adjusted p-value (step-down over all points) of the hypothesis that the point does not "
	"differ. For blocks it comes from sign flips of whole blocks. For groups it comes from "
	"reassigning the runs to A and B. Empty if the ratio is exact, for one run of each, and "
	"for maps.")
COLUMN(COL_VERDICT, "verdict", "", COL_TEXT, "verdict",
	"Faster or slower: how B compares with A. Exact ratios count as different from 1 beyond a "
	"deviation of 1e-9. With several runs the verdict holds for all points together: p_value "
	"is at most 5 %, or at most the level of the interim test (runs). With the method spread "
	"the interval excludes 1. same: the interval is within the margin (runs). no difference "
	"seen: all other cases. Empty for one run of each, or without an interval: see `remark`.")

/* facts about the run; report.c adds these columns to each row in files */
COLUMN(COL_BEGUN, "begun", "", COL_TEXT, "begun",
       "When the interval began, in UTC (ISO 8601). All rows of an interval have the same text. In "
       "virtual time it counts from 2000-01-01.")
COLUMN(COL_ELAPSED, "elapsed_s", "s", COL_REAL, "s elapsed",
       "Time from the start of the first interval to the start of the row's interval. After "
       "--resume it includes the gap.")
COLUMN(COL_RUN_ID, "run_id", "", COL_TEXT, "",
	"A random UUID. All rows of a run have the same one, and no other run has it.")
COLUMN(COL_RUN_DATE, "run_date", "", COL_TEXT, "", "When the run began, in UTC (ISO 8601).")
COLUMN(COL_RUN_HOST, "run_host", "", COL_TEXT, "",
	"The hosts of the ranks, each once, with blanks between them. With more than 16 hosts it "
	"names the first 16, and counts the others. For a model it is the host that computed.")
COLUMN(COL_RUN_HOSTS, "run_hosts", "", COL_UINT, "", "Hosts that have ranks.")
COLUMN(COL_RUN_RANKS, "run_ranks", "", COL_UINT, "",
	"Ranks of the run; a row may use fewer.")
