/* SPDX-License-Identifier: Apache-2.0 */
/*
 * COLUMN(identifier, name, unit, type, heading, definition) for each column, by subject. Whoever
 * includes this defines COLUMN. Sentences that several definitions share are in columns.c.
 */

/* A quantile and its bounds; `text` makes its definition. */
#define COLUMN_QUANTILE(id, name, head, percent, least, text) \
	COLUMN(id, name "_s", "s", COL_REAL, head, text(percent, least)) \
	COLUMN(id##_LO, name "_lo_s", "s", COL_REAL, head " lo", \
		"Lower" TAIL_BOUND(name "_s", percent, least)) \
	COLUMN(id##_HI, name "_hi_s", "s", COL_REAL, head " hi", \
		"Upper" TAIL_BOUND(name "_s", percent, least))

/* The median of single ones, which is the main number, and its bounds. */
#define COLUMN_SINGLE_MEDIAN(id, name, head, what, iteration, mean) \
	COLUMN(id, name "_s", "s", COL_REAL, head, "Median of " what "." iteration RESOLUTION \
		" It is the main number, as it repeats where other work now and then takes the " \
		"processor; " mean ", the mean, holds those interruptions.") \
	COLUMN(id##_LO, name "_lo_s", "s", COL_REAL, "lo", "Lower" SINGLE_BOUND(name "_s")) \
	COLUMN(id##_HI, name "_hi_s", "s", COL_REAL, "hi", "Upper" SINGLE_BOUND(name "_s"))

/* The bounds of a rate, and the least one. */
#define COLUMN_BOUNDS(id, name, suffix, unit, what, tail) \
	COLUMN(id##_LO, name "_lo_" suffix, unit, COL_REAL, "lo", what " of one repetition " \
		"divided by time_hi_s, the upper bound of the " INTERVAL tail) \
	COLUMN(id##_HI, name "_hi_" suffix, unit, COL_REAL, "hi", what " of one repetition " \
		"divided by time_lo_s, the lower bound of the " INTERVAL tail) \
	COLUMN(id##_MIN, name "_min_" suffix, unit, COL_REAL, "min", what " of one repetition " \
		"divided by the time of the slowest repetition." tail)

/* What the ranks of a role in a farm do with their time. */
#define COLUMN_SHARES(id, role, ranks) \
	COLUMN(id, role "_computed", "", COL_REAL, "", ranks ": share of the time spent in " \
		"reading data packets and in occupying the processor." OBSERVED) \
	COLUMN(id##_SENT, role "_communicated", "", COL_REAL, "", ranks ": share of the time " \
		"spent in sending, waits for a place to send from included, and in receiving " \
		"what had come." OBSERVED) \
	COLUMN(id##_WAITED, role "_waited", "", COL_REAL, "", ranks ": share of the time spent " \
		"in waits for a message that had not come, until it had been received, and, once " \
		"done, for the others." OBSERVED)

/* A time of a model in s, and the same in cycles. */
#define COLUMN_TIME(id, name, head, text) \
	COLUMN(id, name "_s", "s", COL_REAL, head, text) \
	COLUMN(id##_CYCLES, name "_cycles", "cycles", COL_REAL, head, IN_CYCLES(name "_s"))

/* A and B for one of compared_units. */
#define COLUMN_COMPARED(id, suffix, unit) \
	COLUMN(id, "value_a_" suffix, unit, COL_REAL, "A", COMPARED_VALUE("A")) \
	COLUMN(id##_B, "value_b_" suffix, unit, COL_REAL, "B", COMPARED_VALUE("B"))

/* the point, and how often it was measured */
COLUMN(COL_SIZE, "size_B", "B", COL_UINT, "MSize",
	"Length of one message in bytes, as the user handed it to the backend. Headers that a "
	"protocol adds are not included.")
COLUMN(COL_WINDOW, "window", "", COL_UINT, "window",
	"Messages that a sender sends before it waits for the receiver. In msgrate and bandwidth "
	"the receiver answers the whole window with one reply, or acknowledges each message: see "
	"`ack`. A sender has at most this number of messages in flight. In a point that would "
	"take too long it is shorter than the default.")
COLUMN(COL_BATCH, "batch", "", COL_UINT, "batch",
	"Messages that are handed to the backend together and started by one doorbell. It "
	"divides a window into its postings, so it is never larger than `window`.")
COLUMN(COL_PAIRS, "pairs", "", COL_UINT, "pairs",
	"Pairs of one sender and one receiver that exchange messages at the same time. A rank "
	"belongs to one pair only.")
COLUMN(COL_ACK, "ack", "", COL_TEXT, "ack",
	"What acknowledges messages. reply: one reply of 1 byte to each window, before which the "
	"next does not begin. Else the window slides: at most `window` messages are not "
	"acknowledged, each by itself. transport: by the completion of its send, which on RC "
	"says that the other side's interface has it, or of a read. message: by a message of 1 "
	"byte that the receiver sends as soon as its receive is complete. Empty for reads that "
	"do not slide.")
COLUMN(COL_LOOPS, "loops", "", COL_UINT, "looplength",
	"Iterations of the command's exchange inside one timed round. An iteration of beff is "
	"one message to each neighbour by every rank; of latency it is one ping-pong. An "
	"iteration of msgrate and bandwidth is one window of messages and its reply. For the "
	"ATLAS benchmarks see event_s: an iteration of 1.1 is there and back, of 1.2 and 1.4 a "
	"window of messages, of 2.3 one event at each destination.")
COLUMN(COL_REPETITIONS, "repetitions", "", COL_UINT, "reps",
	"Timed rounds of the point, that is the number of samples behind its statistics. All "
	"timed rounds count; warm-up rounds do not.")

/* repetitions: the median, its 95 % interval (LO, HI), quantiles, autocorrelation */
COLUMN(COL_TIME_MIN, "time_min_s", "s", COL_REAL, "min",
	"Time of the fastest repetition of the point. For beff it is the fastest of the first "
	"`best_of` of a visit, of several visits the median of that; by its rule hpcc-fpga the "
	"longest of the ranks' own fastest times among the point's first `best_of`, which need "
	"not be of one repetition." REPETITION WHOLE_ROUND)
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
	"repetitions are not independent if it is above 0.1 and above what chance yields "
	"(1.645/sqrt(n) - 1/n). Then the interval of the median is one of epochs: see "
	"`ci_method`. Empty below 3 repetitions and if all are alike.")

/* latency: from MIN on of single iterations, over all repetitions */
COLUMN(COL_HALF_RTT_MEAN, "half_rtt_mean_s", "s", COL_REAL, "mean",
	"Half of the round trip of one message in the mean: the time of all repetitions of the "
	"point, divided by 2 and by all of their round trips." REPETITION " It holds all that "
	"interrupts these cores: a few long interruptions move it, and half_rtt_p50_s not. "
	"`stalled` says by how much the two differ.")
COLUMN(COL_HALF_RTT_EPOCH, "half_rtt_epoch_s", "s", COL_REAL, "epoch",
	"Half of the round trip of one message: the median over the point's repetitions of t/(2 "
	"loops), where t is the time of a repetition; rank 0, which sends first, is the only "
	"rank timed." REPETITION " It is neither a one-way time nor the L of LogP. As a median of "
	"means over `loops` round trips, it holds short interruptions by other work on these "
	"cores: half_rtt_p50_s does not. In results of map it is the median over the visits of a "
	"pair of hosts. A visit counts with the median over its repetitions of the median of "
	"single round trips; where ranks share cores, with the least round trip; where the backend "
	"takes no time stamps, with means of repetitions.")
COLUMN(COL_HALF_RTT_EPOCH_LO, "half_rtt_epoch_lo_s", "s", COL_REAL, "epoch lo",
	"Lower " INTERVAL_OF("half_rtt_epoch_s", "t/(2 loops)") OF_MAP_BOUND)
COLUMN(COL_HALF_RTT_EPOCH_HI, "half_rtt_epoch_hi_s", "s", COL_REAL, "epoch hi",
	"Upper " INTERVAL_OF("half_rtt_epoch_s", "t/(2 loops)") OF_MAP_BOUND)
COLUMN(COL_HALF_RTT_MIN, "half_rtt_min_s", "s", COL_REAL, "min",
	"Half of the shortest single round trip." ITERATION " It is that very sample, not a "
	"quantile. In results of map it is the least of the visits of a pair.")
COLUMN_SINGLE_MEDIAN(COL_HALF_RTT_P50, "half_rtt_p50", "half rtt", "half of the single round "
	"trips", ITERATION, "half_rtt_mean_s")
COLUMN_QUANTILE(COL_HALF_RTT_P90, "half_rtt_p90", "p90", "90", "36", HALF_RTT_TAIL)
COLUMN_QUANTILE(COL_HALF_RTT_P99, "half_rtt_p99", "p99", "99", "368", HALF_RTT_TAIL)
COLUMN_QUANTILE(COL_HALF_RTT_P999, "half_rtt_p999", "p99.9", "99.9", "3688", HALF_RTT_TAIL)
COLUMN(COL_HALF_RTT_MAX, "half_rtt_max_s", "s", COL_REAL, "max",
	"Half of the longest single round trip." ITERATION " It is that very sample, not a "
	"quantile.")
COLUMN(COL_READ_MEAN, "read_mean_s", "s", COL_REAL, "mean",
	"Time of one read in the mean: the time of all repetitions of the point, divided by all "
	"of their reads." REPETITION)
COLUMN(COL_READ_EPOCH, "read_epoch_s", "s", COL_REAL, "epoch",
	"Time of one read of the other rank's memory, from posting it to its completion. It is "
	"the median over the point's repetitions of t/loops, where t is the time of a "
	"repetition. A whole round trip, not half of one; rank 0 reads, the other rank's "
	"processor has no part in it." REPETITION)
COLUMN(COL_READ_EPOCH_LO, "read_epoch_lo_s", "s", COL_REAL, "epoch lo",
	"Lower " INTERVAL_OF("read_epoch_s", "t/loops"))
COLUMN(COL_READ_EPOCH_HI, "read_epoch_hi_s", "s", COL_REAL, "epoch hi",
	"Upper " INTERVAL_OF("read_epoch_s", "t/loops"))
COLUMN(COL_READ_MIN, "read_min_s", "s", COL_REAL, "min",
	"The shortest single read." READ_ITERATION " It is that very sample, not a quantile.")
COLUMN_SINGLE_MEDIAN(COL_READ_P50, "read_p50", "read", "the times of single reads",
	READ_ITERATION, "read_mean_s")
COLUMN_QUANTILE(COL_READ_P90, "read_p90", "p90", "90", "36", READ_TAIL)
COLUMN_QUANTILE(COL_READ_P99, "read_p99", "p99", "99", "368", READ_TAIL)
COLUMN_QUANTILE(COL_READ_P999, "read_p999", "p99.9", "99.9", "3688", READ_TAIL)
COLUMN(COL_READ_MAX, "read_max_s", "s", COL_REAL, "max",
	"The longest single read." READ_ITERATION " It is that very sample, not a quantile.")

/* rates: MIN is of the slowest repetition, MAX of the fastest (b(L) of beff) */
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
	"Bytes of one repetition divided by the time of the fastest repetition (time_min_s); for "
	"beff this is b(L), whose mean over the sizes is b_eff. With several visits each visit "
	"has a b(L), by the best of its first `best_of` repetitions, and so a b_eff; then this "
	"column is by the median of the visits' times, and b_eff is the median of theirs."
	BYTES REPETITION NO_BYTES)
COLUMN(COL_BIDIRECTIONAL, "bidirectional_Bps", "B/s", COL_REAL, "both ways",
	"Bytes in both directions together while two hosts send to each other at the same time, "
	"divided by the time of the slower host. The same in the rows of both directions." OF_MAP
	NO_BYTES)
COLUMN(COL_BIDIRECTIONAL_LO, "bidirectional_lo_Bps", "B/s", COL_REAL, "lo",
	"Lower bound of bidirectional_Bps." OF_MAP_BOUND)
COLUMN(COL_BIDIRECTIONAL_HI, "bidirectional_hi_Bps", "B/s", COL_REAL, "hi",
	"Upper bound of bidirectional_Bps." OF_MAP_BOUND)
COLUMN(COL_PAIR_BANDWIDTH, "pair_bandwidth_Bps", "B/s", COL_REAL, "per pair",
	"Share of one pair: bandwidth_Bps divided by `pairs`, while all pairs send at the same "
	"time. The time is that of the slowest pair, so this is not the bandwidth of a pair "
	"alone." NO_BYTES)

/* models: a time in s is followed by the same in cycles */
COLUMN(COL_MODEL_TIME, "model_s", "s", COL_REAL, "model",
	"Computed, not measured: what the model says of the time of what the row names. For a "
	"board it is the time from the start of a message of size_B bytes to its end at the "
	"receiver. With c channels of w bytes and clock f that is ceil(L/(c w))/f + latency, or "
	"twice that if send and receive loops run one after the other. For LogP and LogGP it is "
	"the time of the row's `pattern`, from the start of the first send until the last rank "
	"has received its data. For streams and farms it is the interval at which messages or "
	"events follow each other. For RDMA it is one message, from its posting until its "
	"receiver has it, or one read until its completion. For a stage of a message it is the "
	"stage's time. Beside measured_s it is of the same thing as that.")
COLUMN(COL_MODEL_CYCLES, "model_cycles", "cycles", COL_REAL, "model",
	"The same as model_s in processor cycles, or whatever the model's parameters are counted "
	"in if they have no unit of time.")
COLUMN(COL_MODEL_PAIR, "pair_model_Bps", "B/s", COL_REAL, "pair",
	"Computed, not measured: size_B divided by model_s, the bandwidth of one kernel pair."
	NO_BYTES)
COLUMN(COL_MODEL_CARD, "card_model_Bps", "B/s", COL_REAL, "card",
	"Computed, not measured: pair_model_Bps times the number of kernel pairs of one card."
	NO_BYTES)
COLUMN(COL_MODEL_BANDWIDTH, "bandwidth_model_Bps", "B/s", COL_REAL, "total",
	"Computed, not measured: of boards card_model_Bps times the number of cards, since the "
	"model scales linearly; of RDMA rate_model_msgps times size_B." NO_BYTES)
COLUMN(COL_ARITY, "arity", "", COL_UINT, "k", "The k of a k-ary or k-nomial tree.")
COLUMN(COL_MESSAGES, "messages", "", COL_UINT, "messages",
	"Messages that one rank sends one after the other; in an exchange each of both ranks, in "
	"a ping-pong the round trips.")
COLUMN(COL_SEGMENT_SIZE, "segment_B", "B", COL_UINT, "segment",
	"Bytes of the segments that a message is cut into, so that ranks pass the first ones on "
	"while others arrive. If it was not given, the size that takes the least time.")
COLUMN_TIME(COL_UPPER, "upper_bound", "bound",
	"Computed: the textbook's closed form of an upper bound of model_s, with whole numbers "
	"for the depths of trees.")
COLUMN_TIME(COL_LECTURE, "lecture", "lecture",
	"Computed: what Hoefler's lecture HPC Networking Basics prints for model_s. For "
	"broadcasts along a k-ary or k-nomial tree it is an upper bound with plain logarithms, "
	"log_k P (L + (k-1) max(o, g) + 2o). Between powers of k this can be less than model_s. "
	"For an FFT in block or cyclic layout it is (g n/P + L) log2 P; in hybrid layout, as in "
	"Culler et al. (1993), it is g (n/P - n/P^2) + L. Both are for g > 2o.")
COLUMN_TIME(COL_COMPUTING, "computing", "computing",
	"Computed: butterflies times the time of one, which is 1 cycle if none was given.")
COLUMN_TIME(COL_TOTAL, "total", "total",
	"Computed: model_s and computing_s, one after the other without overlap.")
COLUMN(COL_MODEL_FREQUENCY, "frequency_model_Hz", "Hz", COL_REAL, "frequency",
	"Computed, not measured: 1/model_s. For a stream it is messages a second. For a farm it "
	"is events a second, if the supervisor has enough credits, or with those of --credits.")
COLUMN(COL_SENDER, "sender", "", COL_UINT, "from",
	"The rank that sends it to the receiver; empty for rank 0. In results of map it is the "
	"number of the host that sends.")
COLUMN(COL_RECEIVER, "receiver", "", COL_UINT, "rank",
	"The rank that gets the broadcast in this row; rank 0 has it from the start. In results "
	"of map it is the number of the host that receives, from 0 in the order of the hosts.")
COLUMN_TIME(COL_SENT, "sent", "sent",
	"Computed: when the sender begins to send, counted from the start of the broadcast.")
COLUMN_TIME(COL_INFORMED, "informed", "informed",
	"Computed: when the receiver has the message and may send it on, L + 2o after it was "
	"sent.")
COLUMN_TIME(COL_AFTER, "after", "t",
	"Time from the start of a broadcast. There is a row for 0 and for each time at which "
	"processors are reached.")
COLUMN(COL_PROCESSORS, "processors", "", COL_UINT, "P(t)",
	"Computed: processors that can have the message by then, if all that have it go on "
	"sending it.")
COLUMN(COL_LEAST, "processors_least", "", COL_REAL, "at least",
	"Computed: a bound of `processors` from below, 2^floor(t / max(A, m)), A = L + 2o, m = "
	"max(o, g).")
COLUMN(COL_MOST, "processors_most", "", COL_REAL, "at most",
	"Computed: a bound of `processors` from above, 2^floor(t / min(A, m)). Empty from 2^1024 "
	"on.")
COLUMN(COL_LECTURE_LEAST, "lecture_least", "", COL_REAL, "lecture: >=",
	"Computed: the same as processors_least as Hoefler's lecture HPC Networking Basics "
	"prints it for g <= o, 2^floor(t / (L + 2o)). No bound where g > L + 2o.")
COLUMN(COL_LECTURE_MOST, "lecture_most", "", COL_REAL, "lecture: <=",
	"Computed: the same as processors_most as that lecture prints it, 2^floor(t / o). Empty "
	"from 2^1024 on, and where o is 0.")
COLUMN(COL_POINT_SIZE, "point_B", "B", COL_UINT, "point", "Bytes of a point of an FFT.")
COLUMN(COL_LAYOUT, "layout", "", COL_TEXT, "layout",
	"How the rows of an FFT's butterfly are placed on processors: block, cyclic, or hybrid: "
	"cyclic at first, and block after a remap.")
COLUMN(COL_BUTTERFLIES, "butterflies", "", COL_UINT, "butterflies",
	"Steps of computing of each processor, one for a row and a column: (n/P) log2 n. Their "
	"time is computing_s, while model_s is communication alone.")
COLUMN(COL_REMAPS, "remaps", "", COL_UINT, "remaps",
	"How often all data change places between two layouts.")
COLUMN(COL_CONFIGURATION, "configuration", "", COL_TEXT, "configuration",
	"Name of the row's window and batch: sequential (1, 1), unbatched (64, 1) or batched "
	"(256, 8).")
COLUMN(COL_MODEL_RATE, "rate_model_msgps", "msg/s", COL_REAL, "msg/s",
	"Computed, not measured: messages a second. For RDMA it is the rate of one connection, "
	"the least that its stages allow. For LogGP it is the rate of one pair of ranks, with a "
	"window that ends with a reply, or slides: see `ack`.")
COLUMN(COL_MODEL_RTT, "rtt_model_s", "s", COL_REAL, "rtt",
	"Computed, not measured: from the first work request of a batch until the completion of "
	"its last is seen; of LogGP from a message's send until its acknowledgement is received.")
COLUMN(COL_BINDING, "binding", "", COL_TEXT, "bound by",
	"The stage that allows the least rate. CPU is posting, sending NIC is the work of a "
	"message, wire is its bytes; then receiving NIC, receiver (its CPU), or window (waiting "
	"for completions). For LogGP it is gap, processor (o_s + o_r: each sends and receives "
	"once a message) or window.")
COLUMN(COL_KNEE, "knee_window", "", COL_REAL, "knee",
	"The window that no longer binds at batch 1: the round trip of one message times the "
	"rate of the slowest other stage.")
COLUMN(COL_MEASURED, "measured_s", "s", COL_REAL, "measured",
	"The value in a result that was read, of the time that model_s predicts. It is "
	"half_rtt_epoch_s, gap_s or event_s; time_s of a window over its messages; or time_min_s "
	"of a ring over its loops. If that result was simulated, so is this.")
COLUMN(COL_RATIO, "measured_over_model", "", COL_REAL, "meas/model",
	"Quotient of measured_s and model_s: above 1 it takes longer than the model says.")
COLUMN(COL_REMARK, "remark", "", COL_TEXT, "",
	"A remark about the row: a formula is a bound or approximate, the row is the best of its "
	"group, or a formula does not apply. For a comparison it is the reason of a missing "
	"verdict: the point is in one file only, lacks a value, had wrong content, or lacks an "
	"interval, which needs 6 repetitions. For two maps it is what changed: a host, a group "
	"or a pair that is named. For the gate of a history it is what was found, in "
	"words.")
COLUMN(COL_STAGE, "stage", "", COL_TEXT, "stage",
	"What a message is in, by the parameter of the model that says how long.")
COLUMN(COL_PLACE, "place", "", COL_TEXT, "at",
	"Where that is: a processor (P0, P1) or a network interface (NIC).")
COLUMN(COL_TO_PLACE, "to_place", "", COL_TEXT, "to",
	"Where the message is on its way to; empty if it stays.")
COLUMN_TIME(COL_BEGINS, "begins", "begins",
	"Computed: when the stage begins, counted from the start of the first.")
COLUMN_TIME(COL_ENDS, "ends", "ends",
	"Computed: when the stage ends, counted from the start of the first.")

/* every measured point */
COLUMN(COL_STOP, "stop", "", COL_TEXT, "stop",
	"The rule that ended the point's repetitions. ci: the interval of the median became "
	"narrow enough. repetitions: their number was reached. point-time, time-limit: the time "
	"of the point or of the run was spent. deterministic: one repetition of virtual time "
	"says it all. slow: with fewer than 6 repetitions, one more would have taken longer than "
	"a point may, 10 s, or --point-time if that is longer. A point that a signal interrupts "
	"has no row.")
COLUMN(COL_CI_METHOD, "ci_method", "", COL_TEXT, "interval",
	"How the 95 % interval of the median came about, of what changes within this run. "
	"visits: order statistics of the medians of 6 or more visits, of 6 the least and the "
	"largest; of fewer visits, which disagree, the lowest bound and the highest. The other "
	"words are for fewer visits than 6. order statistics: of the point's repetitions. epochs: "
	"repetitions depend on those before them, so the interval is of the medians of 6 to 20 "
	"consecutive parts. Each part has at least 2 (1 + r)/(1 - r) repetitions. r is the larger "
	"of time_acf1 and the autocorrelation of the side of the median on which repetitions "
	"are; it exceeds 0.1 and 1.645/sqrt(n) - 1/n. none: fewer than 30 repetitions, or too few "
	"epochs.")
COLUMN(COL_VISITS, "visits", "", COL_UINT, "visits",
	"Times that the point was visited, among all others in random order. The repetitions of "
	"all visits count together; the loops are those of the first. A run that ended early has "
	"fewer visits of some points, and so has a slow point. In results of map it "
	"counts the visits with a value of this pair.")
COLUMN(COL_BEST_OF, "best_of", "", COL_UINT, "best of",
	"Number of repetitions that the best was chosen from: the first 6 of every size in each "
	"visit, or all if these are fewer. It is fixed because the best of more draws is better.")
COLUMN(COL_CHECKED, "checked", "", COL_UINT, "checked",
	"Messages of the point whose content was compared with what was sent. After every round, "
	"pilot and warm-up included, netbench checks the messages of its last iteration. Of a "
	"message over 4 KiB it compares the first 8 bytes of every 4 KiB, and the last ones. "
	"They tell it from the content before the round, but not from the round's other "
	"iterations. To these come every byte that one further round leaves, which is as long as "
	"the timed ones. With --verify full the messages of one further round follow, one by "
	"one. Of several visits the first has these two. With --verify every or every-timed they "
	"are all messages of all rounds, and each message differs from every other. In all modes "
	"one more iteration behind each round shows what the round has left over. For a slow "
	"point this iteration is behind the last round, and every byte of each round is compared.")
COLUMN(COL_ERRORS, "errors", "", COL_UINT, "errors",
	"Messages among those of `checked` with at least one wrong byte. Any but 0 makes the run "
	"fail; the row's times are then not to be trusted. 0 also if nothing was checked: see "
	"`checked`.")
COLUMN(COL_LATE, "late", "", COL_UINT, "late",
	"Repetitions of the point with a rank that came too late to the common start, by more "
	"than 5 % of the repetition's time. The time counts from that start. These repetitions "
	"count like the others. Always 0 where ranks start behind a barrier, which has no common "
	"instant.")
/* latency under load */
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
	"What is measured under load: round trips of one message (pingpong), or windows of "
	"messages and their reply (bandwidth).")
COLUMN(COL_AGGRESSOR, "aggressor", "", COL_TEXT, "aggressor",
	"Pattern of the load. incast: all aggressors send to the first one. alltoall: each sends "
	"to all others in turn. permutation: each sends to another one, by a fixed shift. "
	"broadcast: the first one sends to all others. Patterns joined by + take turns.")
COLUMN(COL_PLACEMENT, "placement", "", COL_TEXT, "placement",
	"How ranks became victims and aggressors: by name, or --place and the seed.")
COLUMN(COL_SHARES_HOST, "shares", "", COL_TEXT, "shares",
	"Value host: a victim and an aggressor share a host, its cores and its interface. What is "
	"measured is then not the network's congestion alone.")
COLUMN(COL_LOOP, "loop", "", COL_TEXT, "loop",
	"In a closed loop an event begins when the last one has ended, in an open one at an "
	"instant of its own.")
COLUMN(COL_RATE_ASKED, "rate_asked_Hz", "Hz", COL_REAL, "rate asked",
	"Events a second of each victim that asks, in an open loop.")
COLUMN_ESTIMATE(COL_RATE_ACHIEVED, "rate_achieved", "_Hz", "Hz", "rate",
	"Events a second of a victim that ended under load: the median over epochs.")
COLUMN(COL_LOAD_ASKED, "load_asked", "", COL_REAL, "load asked",
	"Load that was asked for, as a part of what the aggressors deliver alone in a closed loop. "
	"At 1 they send in a closed loop, below at instants of their own.")
COLUMN_ESTIMATE(COL_LOAD_ACHIEVED, "load_achieved", "", "", "load",
	"Bytes that aggressors received while victims were measured, as a part of what they "
	"receive alone: the median over epochs.")
COLUMN_LOAD_TIMES(COL_LATENCY, "latency", "", "a victim's events under load, of the victim "
	"that suffers most. The time of an event is from the instant at which it should have begun "
	"to its end, a whole round trip.")
COLUMN_LOAD_TIMES(COL_QUIET, "quiet", "quiet ", "the same victim's events without load, in epochs "
	"that alternate at random with the loaded ones.")
COLUMN_LOAD_TIMES(COL_SERVICE, "service", "service ", "the same events under load from their real "
	"send on. In an open loop they leave out the wait for events before them.")
COLUMN_ESTIMATE(COL_FACTOR_P50, "factor_p50", "", "", "factor p50",
	"How many times longer the median event takes under load: exp of the median, over pairs of "
	"epochs, of ln(loaded / quiet). Victim bandwidth has the quiet rate over the loaded one.")
COLUMN_ESTIMATE(COL_FACTOR_P99, "factor_p99", "", "", "factor p99",
	"How many times longer the 99 % point is under load: exp of the median, over pairs of "
	"epochs, of ln(loaded / quiet).")
COLUMN(COL_UNANSWERED, "unanswered", "", COL_UINT, "unanswered",
	"Events of all victims that should have begun and had not ended when their epoch ended. "
	"They count in the quantiles as longer than any that ended.")
COLUMN(COL_BACKLOG, "backlog_max", "", COL_UINT, "backlog",
	"The most events of a victim that should have begun and had not ended at one time.")
COLUMN(COL_LATE_SENDS, "late_sends", "", COL_UINT, "late",
	"Events that were sent later than they should have been by more than 5 % of the median.")
COLUMN(COL_EPOCHS, "epochs", "", COL_UINT, "epochs",
	"Pairs of a quiet and a loaded epoch that count.")
COLUMN(COL_NOTE, "note", "", COL_TEXT, "",
	"Why the point was not measured here, empty if it was. All cells that would hold a "
	"result are then empty.")

/* collective operations */
COLUMN(COL_OPERATION, "operation", "", COL_TEXT, "operation",
	"The collective operation. size_B is count times type size of the MPI call: the vector of "
	"one rank for bcast, reduce, allreduce and reduce-scatter; the block of one rank, or for "
	"one rank, for scatter, gather, allgather and alltoall; 0 for barrier.")
COLUMN(COL_ROOT, "root", "", COL_TEXT, "root",
	"Rank that sends to all or gets from all. rotate: repetition i has root i modulo ranks. "
	"Empty for operations without a root.")
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
	"How unequally the ranks leave: (T - first)/T, where T is the time of the operation and "
	"first the time until the first rank is out. Median over operations.")
COLUMN(COL_LATE_STARTS, "late_starts", "", COL_UINT, "late",
	"Operations that a rank began later than agreed, by more than 5 % of the median and 100 "
	"ns. Their start was not the agreed one, so they are no samples of collective_s. If more "
	"than 1 % of a block began late, it is measured again with starts further apart.")
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
	"Time of the operation behind a barrier: each rank times it from its own start to its "
	"end, by its own clock, and the longest counts. Median of single operations. Ranks leave "
	"a barrier one after the other, so this is not collective_s: it may be more or less.")
COLUMN(COL_BEHIND_BARRIER_LO, "behind_barrier_lo_s", "s", COL_REAL, "lo",
	"Lower" SINGLE_BOUND("behind_barrier_s"))
COLUMN(COL_BEHIND_BARRIER_HI, "behind_barrier_hi_s", "s", COL_REAL, "hi",
	"Upper" SINGLE_BOUND("behind_barrier_s"))
COLUMN(COL_OSU_AVG, "osu_avg_s", "s", COL_REAL, "OSU avg",
	"Mean over the ranks of each rank's mean of its own times behind a barrier: the first "
	"column of the OSU benchmarks. Nothing is complete at this time.")
COLUMN(COL_OSU_MIN, "osu_min_s", "s", COL_REAL, "OSU min",
	"The least of the ranks' means of their own times behind a barrier.")
COLUMN(COL_OSU_MAX, "osu_max_s", "s", COL_REAL, "OSU max",
	"The largest of the ranks' means of their own times behind a barrier.")
COLUMN(COL_BACK_TO_BACK, "back_to_back_s", "s", COL_REAL, "in a row",
	"Time of `loops` operations in a row, divided by `loops`. Ranks may run ahead of others, "
	"so it tends to the interval at which operations can follow each other." REPETITION)
COLUMN(COL_BACK_TO_BACK_LO, "back_to_back_lo_s", "s", COL_REAL, "lo",
	"Lower " INTERVAL_OF("back_to_back_s", "t/loops"))
COLUMN(COL_BACK_TO_BACK_HI, "back_to_back_hi_s", "s", COL_REAL, "hi",
	"Upper " INTERVAL_OF("back_to_back_s", "t/loops"))

COLUMN(COL_LAUNCH_NOTE, "launch_note", "", COL_TEXT, "launch",
	"There only where a device runs the rounds, as FPGA cards do. A warning if launch_share is "
	"above 1 %: the times are too long by it, and rates too low. More loops make it smaller.")
COLUMN(COL_LAUNCH_SHARE, "launch_share", "", COL_REAL, "",
	"There only where a device runs the rounds, as FPGA cards do. It is the launch of a round, "
	"measured by itself (environment.backend.launch_s), over the median time of the "
	"repetitions, which includes it. Loops that were not asked for are chosen so that it is "
	"below 0.01.")
COLUMN(COL_LINK_STALL, "link_stall", "", COL_REAL, "",
	"There only where a device counts the cycles of its link, as FPGA link cores do. It is "
	"the share of the point's longest round on rank 0 in which the link took nothing of a "
	"message that was ready: it is slower than the core, or its other end holds it up.")
COLUMN(COL_LINK_GAP, "link_gap", "", COL_REAL, "",
	"There only where a device counts the cycles of its link, as FPGA link cores do. It is "
	"the share of the point's longest round on rank 0 in which a message had begun to arrive "
	"and no part of it came.")
COLUMN(COL_DISTURBANCE, "disturbance", "", COL_TEXT, "disturbed",
	"The word interrupted if `stalled` is above 0.1, else empty: other work ran on these "
	"cores in between. Go by the median.")
COLUMN(COL_STALLED, "stalled", "", COL_REAL, "stalled",
	"Share of the time that goes beyond the median of each: 1 - median/mean, or 0 if that is "
	"less. The mean is half_rtt_mean_s or read_mean_s; the median is that of single ones, or "
	"without time stamps that of repetitions. Interruptions are what usually causes it.")

/* the ATLAS benchmarks; from COL_SHARES on three columns for each of the four roles of a farm */
COLUMN(COL_BENCHMARK, "benchmark", "", COL_TEXT, "benchmark",
	"Which benchmark the row is of: its number in ATLAS DAQ note 48, 1.1 to 2.3; in results "
	"of check the command that measures the same, or both-ways: its bandwidth in both "
	"directions.")
COLUMN(COL_RANKS, "ranks", "", COL_UINT, "ranks",
	"Ranks that take part in the benchmark, senders and receivers together. The job may have "
	"more, which idle. Of a model its processors, P.")
COLUMN(COL_PEERS, "peers", "", COL_TEXT, "peers",
	"The ranks at the other end, in the order of their service. They are the peers of rank "
	"0, or in 1.4 of ranks 0, 1, 2 and so on. Empty if they are the next ranks in order.")
COLUMN(COL_LOAD, "load", "", COL_TEXT, "load",
	"The ranks with a computing task beside them: none, the sender, the receiver, or both. "
	"The task has lower priority (SCHED_IDLE, or nice 19) and runs on the same processor "
	"while they communicate. Where every rank sends and receives, both is the same as either.")
COLUMN(COL_ALGORITHM, "algorithm", "", COL_TEXT, "algorithm",
	"How the multicast gets from the sender to all receivers. linear: the sender sends to "
	"each in turn. binary, k-ary, binomial, k-nomial: receivers pass it on along such a "
	"tree. optimal: along the tree that is the quickest under LogP. native: the transport's "
	"own operation. A collective operation's are in netbench-collective(1). Models have more: "
	"chain and binary (in segments, each passed on as soon as it has come); scatter-ring (a "
	"scatter, then a ring). An all-to-all is blocking (everything is sent, then received) or "
	"non-blocking. For pipelines it is the sources, stages and destinations of each of the "
	"pipelines side by side.")
COLUMN(COL_SOURCES, "sources", "", COL_UINT, "sources",
	"Ranks that the data packets of an event come from, one from each.")
COLUMN(COL_STAGES, "stages", "", COL_UINT, "stages",
	"Ranks of the middle level of a pipeline. Each takes a packet from each of its sources "
	"and sends one on.")
COLUMN(COL_DESTINATIONS, "destinations", "", COL_UINT, "dests",
	"Ranks that complete events. In a farm they take turns; in a pipeline each completes the "
	"events of its own branch, and all of them count.")
COLUMN(COL_CREDITS, "credits", "", COL_UINT, "credits",
	"Events that the supervisor has given out without having heard of a decision, at most. "
	"Unless it was asked for, four for each destination, and at least 16.")
COLUMN(COL_OCCUPATION, "occupation_s", "s", COL_REAL, "occup.",
	"Time that each data packet occupies a receiver's processor, beside reading it. The work "
	"is what takes that long undisturbed, as calibrated at the start.")
COLUMN(COL_OCCUPATION_GOT, "occupation_achieved_s", "s", COL_REAL, "achieved",
	"Mean time that the work of occupation_s took, over all packets and receivers of the "
	"observed repetitions: longer where others take the processor away. Empty without "
	"occupation.")
COLUMN(COL_MESSAGE, "message_s", "s", COL_REAL, "message",
	"Time per message: the median time of the repetitions divided by the messages of one "
	"sender in one repetition. In 1.7 the messages of all senders count, since one rank "
	"receives them; in 1.1 it is half of a round trip. Measured from user to user. Where "
	"messages follow each other without a wait it is the interval between them and not the "
	"time that one of them takes." REPETITION)
COLUMN(COL_EVENT, "event_s", "s", COL_REAL, "event",
	"Time of one iteration: the median time of the repetitions divided by `loops`. An "
	"iteration of 1.1, 1.2 and 1.4 is a message (as message_s), of 1.3 everyone's message to "
	"everyone, of 1.5 a message to each of the receivers. In 1.6 it is one multicast, from "
	"the sender's start until the last receiver has it. The clock is that of their machine, "
	"or clocks that were compared; without either, each rank counts from its own start. An "
	"iteration of 1.7 is a message from each of the senders, of 2.1 to 2.3 an event."
	REPETITION)
COLUMN(COL_EVENT_LO, "event_lo_s", "s", COL_REAL, "lo",
	"As event_s, but with the lower bound, in place of the median time, of the " INTERVAL
	REPETITION)
COLUMN(COL_EVENT_HI, "event_hi_s", "s", COL_REAL, "hi",
	"As event_s, but with the upper bound, in place of the median time, of the " INTERVAL
	REPETITION)
COLUMN(COL_FREQUENCY, "frequency_Hz", "Hz", COL_REAL, "frequency",
	"Iterations a second: 1/event_s. In 2.1 to 2.3 the event frequency, from the first "
	"event's start to the last one's end; in 2.3 over all destinations." REPETITION)
COLUMN(COL_FREQUENCY_LO, "frequency_lo_Hz", "Hz", COL_REAL, "lo",
	"Iterations a second by event_hi_s, from the upper bound of the " INTERVAL REPETITION)
COLUMN(COL_FREQUENCY_HI, "frequency_hi_Hz", "Hz", COL_REAL, "hi",
	"Iterations a second by event_lo_s, from the lower bound of the " INTERVAL REPETITION)
COLUMN(COL_INTERVAL_P50, "interval_p50_s", "s", COL_REAL, "p50",
	"Median of the times from one event to the next, as rank 0 sees them" INTERVALS)
COLUMN(COL_INTERVAL_P90, "interval_p90_s", "s", COL_REAL, "p90", INTERVAL_TAIL("90", "36"))
COLUMN_QUANTILE(COL_INTERVAL_P99, "interval_p99", "p99", "99", "368", INTERVAL_TAIL)
COLUMN(COL_INTERVAL_MAX, "interval_max_s", "s", COL_REAL, "max",
	"Longest time from one event to the next, as rank 0 sees them" INTERVALS)
COLUMN(COL_PROCESS_BANDWIDTH, "process_bandwidth_Bps", "B/s", COL_REAL, "each",
	"Share of bandwidth_Bps of each sender (1.1 to 1.4, 1.7), or of each receiver (1.5, 1.6)."
	NO_BYTES)
COLUMN(COL_COMM_SLOWDOWN, "communication_slowdown", "", COL_REAL, "comm x",
	"Ratio of event_s to that of the same point without any computing task, measured in the "
	"same run.")
COLUMN(COL_COMM_SLOWDOWN_LO, "communication_slowdown_lo", "", COL_REAL, "lo", "Lower" COMM_BOUND)
COLUMN(COL_COMM_SLOWDOWN_HI, "communication_slowdown_hi", "", COL_REAL, "hi", "Upper" COMM_BOUND)
COLUMN(COL_COMPUTE_SLOWDOWN, "computing_slowdown", "", COL_REAL, "comp x",
	"Work a second of all computing tasks of the point while no rank communicates, divided "
	"by that during the timed rounds. Empty if they did nothing at all meanwhile, as where "
	"the communication never gives up the processor.")
COLUMN(COL_COMPUTE_SLOWDOWN_LO, "computing_slowdown_lo", "", COL_REAL, "lo", "Lower" COMPUTE_BOUND)
COLUMN(COL_COMPUTE_SLOWDOWN_HI, "computing_slowdown_hi", "", COL_REAL, "hi", "Upper" COMPUTE_BOUND)
COLUMN(COL_PROCESSOR_SHARE, "processor_share", "", COL_REAL, "cpu",
	"Share of one processor that a rank and its computing task got together, by the system's "
	"account. It is the least over the ranks with such a task, while the task computed alone "
	"and during the timed rounds. What is missing to 1 others got: other programs, the "
	"hypervisor, or ranks that share the processor. Above 1 where the task has found another "
	"processor idle.")
COLUMN(COL_SLOWDOWN_NOTE, "slowdown_note", "", COL_TEXT, "slowdowns",
	"A warning about the row's slowdowns. busy: processor_share is below 0.9, so that they "
	"are not what computing and communication take from each other alone. no interval: "
	"the repetitions of one of them are too few or too much alike to bound it on both sides.")
COLUMN(COL_T0, "t0_s", "s", COL_REAL, "t0",
	"Overhead: t0 of the line t = t0 + n/r_inf over the message length n, where t is "
	"message_s (1.6, 2.1 to 2.3: event_s). The line is fitted to the lengths of the series "
	"measured so far; the last row has all of them. Theil-Sen: the slope is the median of "
	"the slopes between all pairs of points. Below 0 it is not an overhead: the times are "
	"not a line over the length. Empty below three lengths.")
COLUMN(COL_R_INF, "r_inf_Bps", "B/s", COL_REAL, "r_inf",
	"Maximum throughput that the line of t0_s tends to with growing messages. It is of one "
	"message after the other, so of one sender, or in 2.1 to 2.3 of one packet an event. "
	"bandwidth_Bps may be more, where several are on their way at once. Extrapolated, not "
	"measured. Empty if the time does not grow with the length, by 1 % of t0_s at least up "
	"to the longest message.")
COLUMN(COL_N_HALF, "n_half_B", "B", COL_REAL, "n_1/2",
	"Message length at which the line of t0_s reaches half of r_inf_Bps: t0_s times "
	"r_inf_Bps.")
COLUMN(COL_BOUND, "bound", "", COL_TEXT, "bound by",
	"The busiest role: its ranks waited least for messages in the observed repetitions, on "
	"average less than a quarter of the time. In virtual time a rank does not wait while its "
	"interface is busy. Else everyone waited. credits: the supervisor "
	"waited for a decision while it had given out all credits, and destinations waited for "
	"the first message of an event. Each waited for at least a quarter of the time, so more "
	"credits help. latency: all other cases. processors: instead of credits and latency "
	"where ranks share cores, as everyone may have waited for one.")
COLUMN_SHARES(COL_SHARES, "supervisor", "Supervisor")
COLUMN_SHARES(COL_SOURCE_SHARES, "source", "Sources")
COLUMN_SHARES(COL_STAGE_SHARES, "stage", "Stages")
COLUMN_SHARES(COL_DESTINATION_SHARES, "destination", "Destinations")

/* beff by the rule hlrs */
COLUMN(COL_PATTERN, "pattern", "", COL_TEXT, "pattern",
	"Who sends what to whom. By the rule hlrs of beff it is rings and a number from 1 to 6, "
	"or random and a number. These rings have 2, 4, 8, max(16, n/4), max(32, n/2) and n of "
	"the n ranks, in their order. random is one ring of all ranks in a random order, drawn "
	"by --seed. For a model it is the operation that the row gives the time of, with "
	"messages of size_B bytes, or of one word without that column.")
COLUMN(COL_RINGS, "rings", "", COL_TEXT, "rings",
	"How many rings of how many ranks the pattern has. All of them exchange messages at the "
	"same time.")
COLUMN(COL_PATTERN_BANDWIDTH, "pattern_bandwidth_Bps", "B/s", COL_REAL, "B/s",
	"Bandwidth of the pattern: the arithmetic mean, over the message sizes, of the best of "
	"the methods' best repetitions; of a repetition the bytes that all ranks have sent over "
	"the time of the slowest rank.")

/* parameters of LogGP; report.c adds COL_EMULATED; the errors are those of the fit */
COLUMN(COL_GAP, "gap_s", "s", COL_REAL, "gap",
	"Interval at which messages of one sender follow each other to one receiver. It is the "
	"slope (Theil-Sen) of the time of 2, 4, 8, 16 and 32 messages and a reply over their "
	"number, the median over the rounds. In LogGP's terms the longest of o_s, o_r and g + "
	"(k-1) G.")
COLUMN(COL_SEND, "send_s", "s", COL_REAL, "send",
	"Time that the sender spends on one message. It is the time of a burst of up to 64 "
	"sends, until all are handed over, divided by their number; the time to read the clock "
	"is subtracted. The median over the rounds. For messages that wait for their receiver it "
	"holds that wait as well.")
COLUMN(COL_SEND_DELAYED, "send_delayed_s", "s", COL_REAL, "delayed",
	"The same as send_s by another experiment. It sends eight messages, and the processor is "
	"occupied for one and a half round trips between them; an answer follows. From this time "
	"it subtracts the time of one message and an answer, and the time of the occupation. The "
	"remainder divided by seven is the value; the median over the rounds. Empty where that "
	"is less than 0, and where the backend has no message operations.")
COLUMN(COL_RECEIVE, "receive_s", "s", COL_REAL, "receive",
	"Time that the receiver spends on one message that has come already. It is the time to "
	"receive a burst of up to 64 messages, divided by their number; the time to read the "
	"clock is subtracted. The messages were sent at least 1 ms before. The median over the "
	"rounds.")
COLUMN(COL_EMULATED, "emulated", "", COL_TEXT, "emulated",
	"There only where something on this machine stands in for what should be measured, such "
	"as emulated FPGA cards. Then \"emulated\" in every row: its times are times of an "
	"emulator, not of a network.")
COLUMN(COL_SEGMENT, "segment", "", COL_UINT, "segment",
	"The number of the segment, from 1, that the message length belongs to. The fit has "
	"found the segments: lengths that follow one protocol, with one line for each quantity.")
COLUMN(COL_HALF_RTT_EPOCH_ERROR, "half_rtt_epoch_error", "", COL_REAL, "err",
	FIT_ERROR("half_rtt_epoch_s"))
COLUMN(COL_GAP_ERROR, "gap_error", "", COL_REAL, "err", FIT_ERROR("gap_s"))
COLUMN(COL_SEND_ERROR, "send_error", "", COL_REAL, "err", FIT_ERROR("send_s"))
COLUMN(COL_RECEIVE_ERROR, "receive_error", "", COL_REAL, "err", FIT_ERROR("receive_s"))

/* map: a pair */
COLUMN(COL_SENDER_HOST, "sender_host", "", COL_TEXT, "from", "The name of the host that sends.")
COLUMN(COL_RECEIVER_HOST, "receiver_host", "", COL_TEXT, "to",
	"The name of the host that receives.")
COLUMN(COL_CLASS, "class", "", COL_TEXT, "class",
	"The class of both hosts; hosts of a class are judged among themselves. For hosts of "
	"different classes both, and the pair is not judged. With a topology it is the distance "
	"of the two, and the pair is compared with pairs of the same distance: same host, same "
	"switch, other. Empty without either.")

/* doctor: a finding */
COLUMN(COL_FINDING, "finding", "", COL_TEXT, "finding",
	"What the doctor looked at: a name that stays the same between versions, such as "
	"governor or memlock.")
COLUMN(COL_SEVERITY, "severity", "", COL_TEXT, "severity",
	"How serious a finding is. wrong: it keeps something from running or makes numbers "
	"wrong. note: it may do so. ok: no action is needed.")
COLUMN(COL_SUBJECT, "subject", "", COL_TEXT, "subject",
	"What the finding is of where there are several: a backend, a device, a host. Else empty.")
COLUMN(COL_FOUND_ON, "hosts", "", COL_TEXT, "hosts",
	"The hosts that the finding is of, with blanks between them; empty if it is of all.")
COLUMN(COL_FOUND, "found", "", COL_TEXT, "found",
	"What was found, and what that means for measurements; of several hosts in the numbers "
	"of the first.")
COLUMN(COL_REMEDY, "remedy", "", COL_TEXT, "remedy",
	"What to do about it; empty if no action is needed.")

/* runs */
COLUMN(COL_RUNS, "runs", "", COL_UINT, "runs",
	"Runs of the whole command line that have a value at this point. Where commands are "
	"compared, each of these blocks has a run of both. For a history it is the runs of the "
	"night.")
COLUMN(COL_RUN_SPREAD, "run_spread", "", COL_REAL, "spread",
	"How far the logarithm of one run's cost is from that of the run before it: the root of "
	"the mean square. 0.03 is 3 %. Where commands are compared it is that of the first one.")
COLUMN(COL_RUN_VISIBLE, "visible", "", COL_REAL, "visible",
	"The smallest slowdown that this number of blocks shows with a probability of 80 %, by "
	"run_spread. 0.05 is 5 %.")
COLUMN(COL_RUN_COMMAND, "command_b", "", COL_TEXT, "B",
	"The label of command B, which is compared with A, the first one. Only where several are "
	"compared with one.")
COLUMN(COL_P_WORSE, "p_worse", "", COL_REAL, "p worse",
	"Probability of runs like these at some point, if no point of B is slower than A's by more "
	"than the margin. It is adjusted for all points.")

/* history */
COLUMN(COL_SERIES, "series", "", COL_TEXT, "series",
	"Runs that are alike: their command, backend and hosts.")
COLUMN(COL_POINT, "point", "", COL_TEXT, "point",
	"One of the points of the series that became slowest, by the columns that tell points "
	"apart.")
COLUMN(COL_QUANTITY, "quantity", "", COL_TEXT, "quantity",
	"The column of the results that the cost is of: a time, or a rate, whose cost is its "
	"reciprocal.")
COLUMN(COL_NIGHT, "night", "", COL_TEXT, "night",
	"The date of the night's first run, UTC; ?: the result does not say.")
COLUMN(COL_NIGHT_DAYS, "night_days", "", COL_REAL, "days",
	"Days from the first run of the series to the first run of this night. Without dates "
	"nights count from 0.")
COLUMN(COL_COST, "cost", "", COL_REAL, "cost",
	"Median of the night's runs, as a multiple of the median of the first 7 nights: 1.1 is "
	"10 % slower.")
COLUMN(COL_COST_LO, "cost_lo", "", COL_REAL, "cost lo",
	"The least run of the night, as `cost`: no interval.")
COLUMN(COL_COST_HI, "cost_hi", "", COL_REAL, "cost hi",
	"The largest run of the night, as `cost`: no interval.")
COLUMN(COL_COST_LEVEL, "cost_level", "", COL_REAL, "level",
	"Median of `cost` over the nights between the lasting changes on either side.")
COLUMN(COL_CHANGES, "changes", "", COL_UINT, "changes",
	"Lasting changes of the point up to this night, 0 before the first.")

/* compare: FILE with several B alone; COL_COMPARED: A and B for each of compared_units */
COLUMN(COL_COMPARED_FILE, "file_b", "", COL_TEXT, "B",
	"The file of result B, which is compared with A. Only where several are compared with "
	"one.")
COLUMN_COMPARED(COL_COMPARED, "s", "s")
COLUMN_COMPARED(COL_COMPARED_BPS, "Bps", "B/s")
COLUMN_COMPARED(COL_COMPARED_MSGPS, "msgps", "msg/s")
COLUMN_COMPARED(COL_COMPARED_HZ, "Hz", "Hz")
COLUMN_COMPARED(COL_COMPARED_CYCLES, "cycles", "cycles")
COLUMN(COL_COMPARED_RATIO, "ratio", "", COL_REAL, "B/A",
	"Value of file B divided by that of file A. Of a time, above 1 is slower; of a rate, "
	"above 1 is faster.")
COLUMN(COL_COMPARED_LO, "ratio_lo", "", COL_REAL, "lo", "Lower" COMPARED_BOUND)
COLUMN(COL_COMPARED_HI, "ratio_hi", "", COL_REAL, "hi", "Upper" COMPARED_BOUND)
COLUMN(COL_METHOD, "method", "", COL_TEXT, "method",
	"How the interval of `ratio` came about. exact: both values are computed. Within one run "
	"of each: intervals: from the bound of one file's 95 % interval of the median time to the "
	"opposite bound of the other's; it covers at least 95 %. bootstrap: the 2.5 % and 97.5 % "
	"points of the ratio of the medians over 20000 resamples of the repetitions of both. The "
	"generator always has the same seed. epochs: the same, but a file whose repetitions depend "
	"on one another has epoch medians in their place: medians of 6 to 20 consecutive parts. "
	"From run to run: spread: the ratio, widened by what two runs of one command differ by, "
	"for all points together. blocks: the median of the Walsh averages of the blocks' "
	"logarithms of ratios, and the bounds by the signed-rank statistic. groups: the median of "
	"the differences of all runs of B and A, as logarithms, and the bounds by the statistic "
	"of Mann and Whitney. visits: for a pair in two maps, two standard errors to either side "
	"of the ratio of the medians; the error comes from the differences between visits of "
	"pairs. Empty without an interval.")
COLUMN(COL_P_VALUE, "p_value", "", COL_REAL, "p",
	"Probability that some point shows as much, if no point differs: of blocks by the signs "
	"of whole blocks, of groups by other choices of the runs, step by step over all points. "
	"Empty if the ratio is exact, for one run of each, and for maps.")
COLUMN(COL_VERDICT, "verdict", "", COL_TEXT, "verdict",
	"Faster or slower: what B is against A. Exact ratios differ from 1e-9 on. Of several runs "
	"these are findings of all points together: p_value is at most 5 %, or the level of the "
	"look (runs). By a spread the interval leaves out 1. same: the interval is within the "
	"margin (runs). Else: no difference seen. Empty for one run of each, or without an "
	"interval: see `remark`.")

/* of the run; report.c adds them to each row in files */
COLUMN(COL_RUN_ID, "run_id", "", COL_TEXT, "",
	"A random UUID, which all rows of a run have and no other run's.")
COLUMN(COL_RUN_DATE, "run_date", "", COL_TEXT, "", "When the run began, in UTC, as of ISO 8601.")
COLUMN(COL_RUN_HOST, "run_host", "", COL_TEXT, "",
	"The hosts of the ranks, each once, with blanks between them; of more than 16 the first "
	"16, and how many more. Of a model the host that computed.")
COLUMN(COL_RUN_HOSTS, "run_hosts", "", COL_UINT, "", "Hosts that have ranks.")
COLUMN(COL_RUN_RANKS, "run_ranks", "", COL_UINT, "",
	"Ranks of the run; a row may be of fewer.")
