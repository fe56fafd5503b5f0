// The longest time for which work kept the event loop: what any other client had to wait for it. A round of the loop
// follows the other without a pause while it is measured, so the time between two is the turn that stood between them. What
// counts is the time that the processor gave to the thread: a busy machine makes no turn longer.

export interface Turns {
  readonly longestMs: number;
  readonly wholeMs: number;
  /** Rounds of the event loop: how often others had their turn. */
  readonly rounds: number;
}

/** What the thread has had of the processor, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The turns that were taken while `work` was under way. */
export async function longestTurn(work: () => Promise<unknown>): Promise<Turns> {
  let longestMs = 0;
  let last = processorMs();
  let running = true;
  let rounds = 0;
  const round = () => {
    const now = processorMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    rounds++;
    if (running) setImmediate(round);
  };
  await new Promise<void>((resolve) => setImmediate(resolve));
  const started = processorMs();
  last = started;
  setImmediate(round);
  try {
    await work();
  } finally {
    running = false;
  }
  const ended = processorMs();
  return { longestMs: Math.max(longestMs, ended - last), wholeMs: ended - started, rounds };
}
