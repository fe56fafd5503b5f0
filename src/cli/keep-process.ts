// Keeps the process alive during a command. Timers and idle connections do not, so that it ends when nothing needs it;
// a start that waits for etcd has nothing else.

/** The longest delay of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Keeps the process alive until the work has settled. */
export async function keepProcess<T>(work: Promise<T>): Promise<T> {
  const hold = setInterval(() => {}, LONGEST_MS);
  try {
    return await work;
  } finally {
    clearInterval(hold);
  }
}
