// Limits of serving threads. They are part of limits.ts, whose comments say what limits are for.

export const threadLimits = {
  /** Serving threads of one process. */
  servingThreads: 64,
  /** Those that serve by default: each costs memory, and processor time for writes. */
  defaultServingThreads: 4,
  /** Requests in flight, of --max-requests-inflight and its like, for each of the threads that serve by default. */
  seatsOfServingThread: 20,
  /** Memory that the process may use for each of the threads that serve by default. */
  servingThreadMegabytes: 512,
  /** The young generation of a serving thread's heap: V8's default would cost each thread 40 MB more. */
  threadYoungMegabytes: 16,
  /** Bytes of events on their way to one serving thread: one that does not keep up reads everything again. */
  threadFeedBytes: 64 * 1024 * 1024,
  /** Entries of a list that one message to a serving thread holds. */
  threadListEntries: 200,
  /** How often a serving thread is told the state of the store while nothing is written. */
  threadFactsMs: 5_000,
} as const;
