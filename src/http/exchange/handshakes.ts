// The queue of TLS handshakes, so that a server survives that all its clients connect at once, as after a restart.
// Handshakes that all advance together all end together, after their clients have given up. Hence few are in progress at
// a time, and nothing is computed for a client that has gone or has not sent its first message. Only one begins per round
// of the event loop, so that they do not delay the requests of connected clients.
//
// They begin in the order of arrival. Once one has waited for long, the server cannot keep up, and the newest begin
// first: in order, each would begin when its client is about to give up. Those that are passed over try again. Then,
// too, those that have been answered go on only when there is nothing to begin.

import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../base/clock.ts';
import type { limits } from '../../base/limits.ts';
import type { HandshakeMetrics } from '../../lifecycle/handshake-metrics.ts';
import { type HeldConnectionLimits, HeldConnections } from './held-connections.ts';
import { WaitingClient } from './waiting-client.ts';

/** How a handshake ended after it began. */
export type HandshakeResult = 'succeeded' | 'closed' | 'timeout' | 'plain_http' | 'refused' | 'protocol';
/** Why one did not begin. */
type DropReason = 'closed' | 'timeout' | 'too_long' | 'too_many' | 'shutdown';

type HandshakeLimit =
  | 'tlsHandshakeTimeoutMs'
  | 'waitingHandshakes'
  | 'waitingHandshakeBytes'
  | 'clientHelloBytes'
  | 'handshakesAtOnce'
  | 'handshakeReplyMs'
  | 'handshakeNewsRounds'
  | 'patientHandshakeMs';

export type HandshakeLimits = HeldConnectionLimits & {
  readonly [name in HandshakeLimit & keyof typeof limits]: number;
};

interface HandshakesOptions {
  readonly clock: Clock;
  readonly limits: HandshakeLimits;
  readonly metrics: HandshakeMetrics;
  /** Calls `run` in the next round of the event loop, after pending I/O. */
  readonly nextRound: (run: () => void) => void;
  /** Begins the handshake on a connection; its end is reported by `ended`. */
  readonly begin: (socket: Socket, serverName: string | undefined) => void;
  /** Called for each connection that is closed here. */
  readonly closing: (socket: Socket, reason: string) => void;
}

export class Handshakes {
  readonly #options: HandshakesOptions;
  /** Those that wait, the oldest first: with an incomplete first message, and with a complete one. */
  readonly #incomplete = new Set<WaitingClient>();
  /** With the round in which the message was complete. */
  readonly #ready = new Map<WaitingClient, number>();
  #waitingBytes = 0;
  /** When those in progress began, the oldest first; and those among them whose clients are not slow. */
  readonly #inProgress = new Set<Socket>();
  readonly #slots = new Map<Socket, number>();
  readonly #timeouts = new Map<Socket, Timer>();
  readonly #held: HeldConnections;
  #isScheduled = false;
  #round = 0;
  /** Whether something has come from a waiting client since the last round, and for how many rounds in a row. */
  #hasNews = false;
  #newsRounds = 0;
  #slotTimer: Timer | undefined;

  constructor(options: HandshakesOptions) {
    this.#options = options;
    const { clock, limits, metrics } = options;
    this.#held = new HeldConnections({ clock, limits, changed: (by) => metrics.held.with({}).add(by) });
  }

  /** Adds a connection that was just accepted. */
  add(socket: Socket): void {
    const { clock, metrics } = this.#options;
    let counted = 0;
    const client = new WaitingClient({
      socket,
      sinceMs: clock.now(),
      received: () => {
        this.#waitingBytes += client.bytes - counted;
        counted = client.bytes;
        this.#received(client);
      },
      closed: () => this.#drop(client, 'closed'),
    });
    this.#incomplete.add(client);
    this.#hasNews = true;
    metrics.waiting.with({}).add(1);
    this.#allowTime(client);
    this.#keepBounds();
  }

  /** Reports the end of a handshake, at least once for each that has begun. */
  ended(socket: Socket, result: HandshakeResult): void {
    if (!this.#inProgress.delete(socket)) return;
    const { metrics } = this.#options;
    metrics.inProgress.with({}).add(-1);
    metrics.ended.with({ result }).add();
    if (result !== 'succeeded') metrics.errors.with({}).add();
    this.#forgetTimeout(socket);
    if (this.#slots.delete(socket)) this.#schedule();
  }

  /** Closes the connections that wait for their handshake. */
  close(): void {
    this.#held.goOnAll();
    for (const client of [...this.#incomplete, ...this.#ready.keys()]) this.#drop(client, 'shutdown');
    this.#slotTimer?.cancel();
    this.#slotTimer = undefined;
  }

  #received(client: WaitingClient): void {
    this.#hasNews = true;
    if (client.bytes > this.#options.limits.clientHelloBytes) this.#drop(client, 'too_long');
    else if (client.isReady && this.#incomplete.delete(client)) {
      this.#ready.set(client, this.#round);
      this.#schedule();
    }
    this.#keepBounds();
  }

  /** The oldest go first: their clients are the next to give up, or never meant to begin. */
  #keepBounds(): void {
    const { limits } = this.#options;
    const isOver = () =>
      this.#incomplete.size + this.#ready.size > limits.waitingHandshakes ||
      this.#waitingBytes > limits.waitingHandshakeBytes;
    while (isOver()) this.#drop(this.#oldest(), 'too_many');
  }

  /** There is one. */
  #oldest(): WaitingClient {
    const [silent, ready] = [firstOf(this.#incomplete), firstOf(this.#ready.keys())];
    if (silent === undefined || ready === undefined) return (silent ?? ready)!;
    return silent.sinceMs < ready.sinceMs ? silent : ready;
  }

  #drop(client: WaitingClient, reason: DropReason): void {
    if (!this.#leave(client)) return;
    this.#hasNews = true;
    const { metrics, closing } = this.#options;
    metrics.dropped.with({ reason }).add();
    metrics.errors.with({}).add();
    this.#forgetTimeout(client.socket);
    closing(client.socket, reason);
    client.stop();
    client.socket.destroy();
  }

  /** @returns whether it waited */
  #leave(client: WaitingClient): boolean {
    if (!this.#incomplete.delete(client) && !this.#ready.delete(client)) return false;
    this.#waitingBytes -= client.bytes;
    this.#options.metrics.waiting.with({}).add(-1);
    return true;
  }

  #allowTime(client: WaitingClient): void {
    const { clock, limits } = this.#options;
    this.#timeouts.set(
      client.socket,
      clock.after(limits.tlsHandshakeTimeoutMs, () => this.#timeOut(client)),
    );
  }

  #timeOut(client: WaitingClient): void {
    const { socket } = client;
    this.#drop(client, 'timeout');
    if (!this.#inProgress.has(socket)) return;
    this.ended(socket, 'timeout');
    this.#options.closing(socket, 'timeout');
    socket.destroy();
  }

  #forgetTimeout(socket: Socket): void {
    this.#timeouts.get(socket)?.cancel();
    this.#timeouts.delete(socket);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#ready.size + this.#held.size === 0) return;
    this.#isScheduled = true;
    this.#options.nextRound(() => {
      this.#isScheduled = false;
      this.#round++;
      if (this.#hearsNews()) this.#schedule();
      else this.#beginNext();
    });
  }

  /**
   * The kernel hands over one connection per round of the loop, the oldest first. While it does, none begins for a
   * number of rounds: the newest are the last to come.
   */
  #hearsNews(): boolean {
    this.#newsRounds = this.#hasNews ? this.#newsRounds + 1 : 0;
    this.#hasNews = false;
    if (this.#newsRounds <= this.#options.limits.handshakeNewsRounds) return this.#newsRounds > 0;
    this.#newsRounds = 0;
    return false;
  }

  #beginNext(): void {
    this.#freeSlots();
    if (this.#slots.size >= this.#options.limits.handshakesAtOnce && this.#ready.size > 0) {
      this.#awaitSlot();
      this.#held.goOn();
      if (this.#held.size > 0) this.#schedule();
      return;
    }
    const client = this.#next();
    if (client !== undefined) this.#begin(client);
    else this.#held.goOn();
    this.#schedule();
  }

  /** Whether no handshake has waited so long that the server cannot keep up. */
  get #isPatient(): boolean {
    const { clock, limits } = this.#options;
    const oldest = firstOf(this.#ready.keys());
    return oldest === undefined || clock.now() - oldest.sinceMs <= limits.patientHandshakeMs;
  }

  /** That a client has gone is read in the round after its message: the next one shows whether it has. */
  #next(): WaitingClient | undefined {
    const inOrder = this.#isPatient ? this.#ready : [...this.#ready].reverse();
    for (const [client, round] of inOrder) if (round + 2 <= this.#round) return client;
    return undefined;
  }

  #begin(client: WaitingClient): void {
    const { clock, metrics, begin } = this.#options;
    const isHeld = !this.#isPatient && client.isConnectedByAnswer;
    this.#leave(client);
    const socket = client.release();
    this.#inProgress.add(socket);
    if (!isHeld) this.#slots.set(socket, clock.now());
    metrics.begun.with({}).add();
    metrics.inProgress.with({}).add(1);
    socket.once('close', () => this.ended(socket, 'closed'));
    begin(socket, client.serverName);
    if (!isHeld) return;
    // It waits for the server meanwhile.
    this.#forgetTimeout(socket);
    this.#held.add(socket, () => this.#allowTime(client));
  }

  /**
   * Clients that do not reply hold no slots: a few of them would stop all others. What has come from a client was read
   * in this round, however long the one before took.
   */
  #freeSlots(): void {
    const { clock, limits } = this.#options;
    const before = clock.now() - limits.handshakeReplyMs;
    for (const [socket, sinceMs] of this.#slots) {
      if (sinceMs > before) break;
      this.#slots.delete(socket);
    }
  }

  #awaitSlot(): void {
    const { clock, limits } = this.#options;
    const heldMs = clock.now() - (firstOf(this.#slots.values()) ?? 0);
    this.#slotTimer ??= clock.after(Math.max(1, limits.handshakeReplyMs - heldMs), () => {
      this.#slotTimer = undefined;
      this.#schedule();
    });
  }
}

function firstOf<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
