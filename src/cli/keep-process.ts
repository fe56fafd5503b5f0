// A hold on the process while a command is under way. Pauses and idle connections do not keep a process, so that it ends
// when nobody needs it; a start that waits for etcd to come back has nothing else.

/** The longest that a timer can wait, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Keeps the process until the work has settled. */
export async function keepProcess<T>(work: Promise<T>): Promise<T> {
  const hold = setInterval(() => {}, LONGEST_MS);
  try {
    return await work;
  } finally {
    clearInterval(hold);
  }
}
