// An area of the differential tester: a generator of random conversations about one subject.

import type { SeededRandom } from '../../src/base/seeded-random.ts';
import type { Bodies } from './bodies.ts';
import type { Session } from './session.ts';

export interface Case {
  readonly session: Session;
  readonly random: SeededRandom;
  readonly bodies: Bodies;
  /** Waits until no other conversation is running, and blocks others until this one ends. */
  readonly alone: () => Promise<void>;
}

export interface Area {
  readonly name: string;
  /** Whether the order of fields is compared too. */
  readonly ordered?: boolean;
  /** Runs one conversation; ends early when the servers diverge. */
  readonly run: (given: Case) => Promise<void>;
}
