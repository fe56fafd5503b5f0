// The longest time for which work blocked the event loop, which is how long other clients had to wait. During the
// measurement the loop runs without pauses, so the time between two rounds is the turn between them. It is measured in
// processor time of the thread: a busy machine does not make a turn longer.

export interface Turns {
  readonly longestMs: number;
  readonly wholeMs: number;
  /** Rounds of the event loop: how often others had their turn. */
  readonly rounds: number;
}

/** Processor time of the thread, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Measures the turns during `work`. */
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
