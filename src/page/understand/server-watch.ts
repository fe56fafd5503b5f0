// Monitoring of a server: its metrics every second, with recent figures and their history, and its health.

import { signal } from '@preact/signals';
import { ask, ClusterError } from '../cluster/cluster-api.ts';
import { parseMetrics } from './metrics-text.ts';
import { figuresOf, isFigure, type Scrape, type ServerFigures } from './server-figures.ts';

/** Rates and latencies in tables cover this many scrapes: a single one would flicker. */
const WINDOW = 10;
/** The number of points in the charts. */
export const HISTORY = 60;
const EVERY_MS = 1000;
/**
 * A server that takes long to write its metrics is scraped less often: scraping may take at most this share of the
 * time.
 */
const MAX_SHARE = 0.2;
const HEALTH_EVERY_MS = 10_000;

/** One point of the charts, a second. */
export interface Moment {
  readonly perSecond: number;
  readonly failedPerSecond: number;
  readonly p99: number | undefined;
  readonly queued: number;
  readonly turnP99: number | undefined;
  readonly watches: number;
}

interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  /** The health reported by the server: `ok`, `failed: reason withheld`. */
  readonly says: string;
}

export class ServerWatch {
  readonly figures = signal<ServerFigures | undefined>(undefined);
  /** Oldest first. */
  readonly moments = signal<readonly Moment[]>([]);
  /** Why metrics are unavailable; '' if they are available. */
  readonly fault = signal('');
  readonly health = signal<readonly HealthCheck[] | undefined>(undefined);
  readonly healthFault = signal('');
  readonly #scrapes: Scrape[] = [];
  readonly #aborted = new AbortController();
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor() {
    void this.#scrape();
    void this.#askHealth();
  }

  close(): void {
    this.#aborted.abort();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #scrape(): Promise<void> {
    const began = performance.now();
    try {
      if (!document.hidden) this.#take(await this.#text('/metrics'));
      this.fault.value = '';
    } catch (error) {
      if (this.#aborted.signal.aborted) return;
      this.fault.value = (error as Error).message;
      if (error instanceof ClusterError && (error.code === 401 || error.code === 403)) return;
    }
    const took = performance.now() - began;
    this.#later(() => void this.#scrape(), Math.max(EVERY_MS - took, took / MAX_SHARE));
  }

  #take(text: string): void {
    const scrape: Scrape = { at: performance.now(), metrics: parseMetrics(text, isFigure) };
    const last = this.#scrapes.at(-1);
    this.#scrapes.push(scrape);
    if (this.#scrapes.length > WINDOW) this.#scrapes.shift();
    const [first] = this.#scrapes;
    this.figures.value = figuresOf(first === scrape ? undefined : first, scrape);
    if (last === undefined) return;
    const { turns, watches, ...now } = figuresOf(last, scrape);
    const moment: Moment = {
      ...{ perSecond: now.perSecond, failedPerSecond: now.failedPerSecond, p99: now.p99, queued: now.queued },
      ...{ turnP99: turns?.p99, watches: [...watches.values()].reduce((sum, count) => sum + count, 0) },
    };
    this.moments.value = [...this.moments.value, moment].slice(-HISTORY);
  }

  async #askHealth(): Promise<void> {
    try {
      this.health.value = checksOf(await this.#text('/readyz?verbose'));
      this.healthFault.value = '';
    } catch (error) {
      if (this.#aborted.signal.aborted) return;
      const checks = checksOf((error as Error).message);
      this.health.value = checks.length > 0 ? checks : undefined;
      this.healthFault.value = checks.length > 0 ? '' : (error as Error).message;
    }
    this.#later(() => void this.#askHealth(), HEALTH_EVERY_MS);
  }

  async #text(path: string): Promise<string> {
    return (await ask(path, { accept: 'text/plain', signal: this.#aborted.signal })).text();
  }

  #later(work: () => void, ms: number): void {
    if (this.#aborted.signal.aborted) return;
    this.#timers = [...this.#timers.slice(-1), setTimeout(work, ms)];
  }
}

/** `[+]ping ok`, line by line. */
function checksOf(text: string): HealthCheck[] {
  return [...text.matchAll(/^\[([+-])\](\S+) (.*)$/gm)].map(([, sign, name = '', says = '']) => ({
    ...{ name, says, ok: sign === '+' },
  }));
}
