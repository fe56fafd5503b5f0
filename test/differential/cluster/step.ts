// The steps of a sequence, and how they are chosen.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';

/** A step of a sequence: a request that both sides get. */
export interface Step {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the namespace where it says NS, such as `apis/apps/v1/NS/deployments`; `$NS` is its name, in bodies too. */
  readonly path: string;
  readonly body?: unknown;
  /** Whether both sides come to rest before the next one. */
  readonly waits: boolean;
  /** How long nothing may happen until they count as at rest, where something is due later than usual. */
  readonly quietMs?: number;
  /** Sent just before the next full minute, so that what is due then happens before the next step. */
  readonly awaitsMinute?: boolean;
}

export interface Sequence {
  readonly steps: readonly Step[];
  /** Whether it changes what other sequences would notice, such as nodes, so that none may run beside it. */
  readonly isAlone: boolean;
}

export type Chooser = <T>(...choices: readonly T[]) => T;

export function chooserOf(random: SeededRandom): Chooser {
  return (...choices) => choices[random.below(choices.length)] as (typeof choices)[number];
}

type StepOptions = Omit<Partial<Step>, 'method' | 'path' | 'body'>;

/** Creates an object. @param rest what it has beside its metadata */
export function created(path: string, metadata: object, rest: object, options: StepOptions = {}): Step {
  return { method: 'POST', path, body: { metadata, ...rest }, waits: true, ...options };
}

/** A merge patch. */
export function patched(path: string, body: object, options: StepOptions = {}): Step {
  return { method: 'PATCH', path, body, waits: true, ...options };
}

export function removed(path: string, body?: object): Step {
  return { method: 'DELETE', path, ...(body === undefined ? {} : { body }), waits: true };
}

/** A deletion with any policy for its dependents. */
export function deletion(choose: Chooser, path: string): Step {
  return removed(path, { propagationPolicy: choose('Background', 'Foreground', 'Orphan') });
}
