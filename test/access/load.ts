// Clients that send one request after the other while a test changes what the server reads.

const CLIENTS = 3;

export class Load implements AsyncDisposable {
  /** What went wrong, in words; nothing may. */
  readonly faults: string[] = [];
  requests = 0;
  readonly #clients: Promise<void>[];
  readonly #rounds: number[] = [];
  #isOver = false;

  /** @param ask sends a request, and resolves with what was wrong with the answer, undefined for nothing */
  constructor(ask: () => Promise<string | undefined>) {
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#run(client, ask));
  }

  /** Resolves when every client has sent a request and got its answer from now on. */
  async round(): Promise<void> {
    const before = [...this.#rounds];
    // The request that is under way may have been sent before.
    const isOver = () => this.#rounds.every((rounds, client) => rounds >= before[client]! + 2);
    while (!isOver() && !this.#isOver) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #run(client: number, ask: () => Promise<string | undefined>): Promise<void> {
    this.#rounds[client] = 0;
    while (!this.#isOver) {
      const fault = await ask().catch((error: Error) => error.message);
      if (fault !== undefined) this.faults.push(fault);
      this.requests++;
      this.#rounds[client]!++;
      // Requests that never leave the process would keep everything else from happening.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
