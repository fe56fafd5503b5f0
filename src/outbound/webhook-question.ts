// Calls of authentication and authorization webhooks: an object is posted and one is returned. Temporary errors are
// retried a few times with increasing delays.

import type { JsonObject } from '../api/object.ts';
import { typeFault } from '../api/unregistered-kind.ts';
import { objectMember, textMember } from '../api/untyped-members.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { CallRefused, type KubeconfigClient } from './kubeconfig-client.ts';
import { reviewFault } from './review-shape.ts';

/** Kubernetes' values. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const FACTOR = 1.5;
const JITTER = 0.2;
/** Temporary errors. */
const TRANSIENT = [429, 500, 504];

type CallResult = 'success' | 'timeout' | 'error';

interface WebhookQuestionOptions {
  readonly client: Pick<KubeconfigClient, 'ask' | 'close'>;
  readonly kind: string;
  readonly apiVersion: string;
  readonly timeoutMs: number;
  /** Delay after the first failure; Kubernetes' value by default. */
  readonly firstPauseMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Called for every call. */
  readonly onCall?: (result: CallResult, seconds: number) => void;
}

export class WebhookQuestion {
  readonly #options: WebhookQuestionOptions;

  constructor(options: WebhookQuestionOptions) {
    this.#options = options;
  }

  close(): void {
    this.#options.client.close();
  }

  /** The status of the response. @throws Error that says why there is none */
  async ask(spec: JsonObject): Promise<JsonObject> {
    const { kind, apiVersion } = this.#options;
    const body = JSON.stringify({ kind, apiVersion, metadata: {}, spec, status: emptyStatus(kind) });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#call(body);
      } catch (error) {
        if (attempt === ATTEMPTS || !isTransient(error)) throw error;
        await this.#pause(attempt);
      }
    }
  }

  async #call(body: string): Promise<JsonObject> {
    const { client, timeoutMs, onCall } = this.#options;
    const start = performance.now();
    const done = (result: CallResult) => onCall?.(result, (performance.now() - start) / 1000);
    try {
      const status = this.#statusIn(await client.ask(body, timeoutMs));
      done('success');
      return status;
    } catch (error) {
      done(error instanceof CallRefused && (error.isTimeout || error.status === 504) ? 'timeout' : 'error');
      throw error;
    }
  }

  /** A response without kind or version has those of the request. @throws Error that says what is wrong with it */
  #statusIn(answer: JsonObject): JsonObject {
    const { kind, apiVersion } = this.#options;
    const named = {
      kind: textMember(answer, 'kind') || kind,
      apiVersion: textMember(answer, 'apiVersion') || apiVersion,
    };
    const fault = typeFault(named, this.#options) ?? reviewFault(kind, answer);
    if (fault !== undefined) throw new Error(fault);
    return objectMember(answer, 'status');
  }

  #pause(attempt: number): Promise<void> {
    const { random, clock, firstPauseMs = FIRST_PAUSE_MS } = this.#options;
    const jitter = 1 + (JITTER * random.below(1_000)) / 1_000;
    return new Promise((resolve) => clock.after(firstPauseMs * FACTOR ** (attempt - 1) * jitter, resolve));
  }
}

function emptyStatus(kind: string): JsonObject {
  return kind === 'TokenReview' ? { user: {} } : { allowed: false };
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof CallRefused)) return false;
  return TRANSIENT.includes(error.status ?? 0) || error.asksToRetry || error.isReset;
}
