// Clients that send one request after another while a test changes what the server reads.

const CLIENTS = 3;

export class Load implements AsyncDisposable {
  /** Descriptions of failures; expected to be empty. */
  readonly faults: string[] = [];
  requests = 0;
  readonly #clients: Promise<void>[];
  readonly #rounds: number[] = [];
  #isOver = false;

  /** @param ask sends a request, and resolves with a description of the failure, undefined if there is none */
  constructor(ask: () => Promise<string | undefined>) {
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#run(client, ask));
  }

  /** Resolves when every client has sent a request from now on and received its response. */
  async round(): Promise<void> {
    const before = [...this.#rounds];
    // The request in flight may have been sent earlier.
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
      // Requests that never leave the process would starve everything else.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
