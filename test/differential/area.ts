// An area of the differential tester: a source of random conversations about one subject.

import type { SeededRandom } from '../../src/base/seeded-random.ts';
import type { Bodies } from './bodies.ts';
import type { Session } from './session.ts';

export interface Case {
  readonly session: Session;
  readonly random: SeededRandom;
  readonly bodies: Bodies;
  /** Waits until no other conversation is held, and holds all others off until this one is over. */
  readonly alone: () => Promise<void>;
}

export interface Area {
  readonly name: string;
  /** The order of members is compared too. */
  readonly ordered?: boolean;
  /** Holds one conversation; ends early when the servers diverge. */
  readonly run: (given: Case) => Promise<void>;
}
