// The log of a pod: of one container or of several at once, followed if wanted, with as many lines as a page can hold.

import { signal } from '@preact/signals';
import type { WatchConnection } from '../cluster/watch-connection.ts';
import { type Log, type LogLine, merged, readLine } from './log-lines.ts';

/** The most lines that are kept, of all containers. */
const MAX_LINES = 10_000;
/** How many of the last lines of a container are read if no time is chosen. */
export const TAIL_LINES = 1000;
const AGAIN_MS = 1000;

interface LogOptions {
  /** The path of the pod. */
  readonly pod: string;
  readonly isFollowed: boolean;
  /** Of the container's previous instance. */
  readonly isPrevious: boolean;
  /** Undefined for the last lines. */
  readonly sinceSeconds: number | undefined;
}

/** How the log of a container is: why it cannot be read, or whether more may come. */
export interface ContainerLog {
  readonly phase: 'open' | 'ended' | 'refused' | 'reconnecting';
  readonly message: string;
}

export class PodLog {
  readonly log = signal<Log>({ lines: [], dropped: 0 });
  readonly containers = signal<ReadonlyMap<string, ContainerLog>>(new Map());
  readonly #watches: WatchConnection;
  readonly #options: LogOptions;
  readonly #stops = new Map<string, () => void>();
  readonly #last = new Map<string, string>();
  #arrived: LogLine[] = [];
  #frame = 0;
  #isClosed = false;

  constructor(watches: WatchConnection, options: LogOptions) {
    this.#watches = watches;
    this.#options = options;
  }

  /** Reads the log of a container from its beginning; a new instance has a new log. */
  open(container: string): void {
    this.#last.delete(container);
    this.#follow(container);
  }

  close(): void {
    this.#isClosed = true;
    cancelAnimationFrame(this.#frame);
    for (const stop of this.#stops.values()) stop();
  }

  /** Reads what came after the last line. */
  #follow(container: string): void {
    if (this.#isClosed) return;
    this.#stops.get(container)?.();
    this.#note(container, { phase: 'open', message: '' });
    const stop = this.#watches.follow(
      `${this.#options.pod}/log?${this.#query(container)}`,
      {
        onLines: (lines) => this.#hear(container, lines),
        onEnd: ({ code, message }) => {
          if (code >= 400) this.#note(container, { phase: 'refused', message });
          else if (message === '') this.#note(container, { phase: 'ended', message });
          else this.#again(container, message);
        },
      },
      'text/plain, */*',
    );
    this.#stops.set(container, stop);
  }

  #query(container: string): URLSearchParams {
    const { isFollowed, isPrevious, sinceSeconds } = this.#options;
    const last = this.#last.get(container);
    return new URLSearchParams({
      ...{ container, timestamps: 'true' },
      ...(isPrevious ? { previous: 'true' } : isFollowed && { follow: 'true' }),
      ...(last !== undefined
        ? { sinceTime: last }
        : sinceSeconds === undefined
          ? { tailLines: String(TAIL_LINES) }
          : { sinceSeconds: String(sinceSeconds) }),
    });
  }

  #hear(container: string, texts: readonly string[]): void {
    const last = this.#last.get(container) ?? '';
    // The server counts in whole seconds: lines of the last one come again.
    const lines = texts.map((text) => readLine(container, text)).filter(({ time }) => time === '' || time > last);
    const latest = lines.at(-1)?.time ?? '';
    if (latest !== '') this.#last.set(container, latest);
    this.#arrived.push(...lines);
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#show());
  }

  #show(): void {
    this.#frame = 0;
    this.log.value = merged(this.log.value, this.#arrived, MAX_LINES);
    this.#arrived = [];
  }

  #again(container: string, message: string): void {
    this.#note(container, { phase: 'reconnecting', message });
    setTimeout(() => this.#follow(container), AGAIN_MS);
  }

  #note(container: string, state: ContainerLog): void {
    this.containers.value = new Map([...this.containers.value, [container, state]]);
  }
}
