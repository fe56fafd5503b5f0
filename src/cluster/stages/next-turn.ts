// The next turn of the event loop, for work that gives way to requests.

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
