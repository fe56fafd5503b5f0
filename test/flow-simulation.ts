// A server in simulated time, for tests of priority and fairness: clients of many flows send requests with given
// durations, and the service of each flow is counted. The test controls the clock.

import { ManualClock } from '../src/base/clock.ts';
import type {
  FlowSchemaConfiguration,
  PriorityLevelConfiguration,
  PriorityLevelSpec,
} from '../src/flowcontrol/configuration.ts';
import { FlowController } from '../src/flowcontrol/flow-controller.ts';
import type { FlowRequest } from '../src/flowcontrol/flow-request.ts';
import { type SeatShare, wholeShare } from '../src/flowcontrol/seat-share.ts';
import { ONE_SEAT, type WorkEstimate } from '../src/flowcontrol/work-estimate.ts';
import { declareFlowMetrics } from '../src/lifecycle/flow-metrics.ts';
import { MetricRegistry } from '../src/lifecycle/metrics.ts';

const EVERYTHING = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };

/** A level with queues; `limited` overrides its shares, lending and borrowing. */
export function queueLevel(
  name: string,
  limited: Partial<NonNullable<PriorityLevelSpec['limited']>> = {},
  queuing = { queues: 64, handSize: 6, queueLengthLimit: 50 },
): PriorityLevelConfiguration {
  const limitResponse = { type: 'Queue', queuing };
  const spec = { nominalConcurrencyShares: 30, lendablePercent: 0, limitResponse, ...limited };
  return { name, uid: `level-${name}`, spec: { type: 'Limited', limited: spec } };
}

/** A schema for the users whose names start with its own. */
export function schemaOf(level: string, users: readonly string[], matchingPrecedence = 100): FlowSchemaConfiguration {
  const subjects = users.map((name) => ({ kind: 'User', user: { name } }));
  return {
    name: `of-${level}`,
    uid: `schema-${level}`,
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence,
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects, resourceRules: [EVERYTHING] }],
    },
  };
}

const MANDATORY = {
  levels: [
    { name: 'exempt', uid: '', spec: { type: 'Exempt', exempt: {} } },
    {
      name: 'catch-all',
      uid: '',
      spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
    },
  ],
  schemas: [
    { ...schemaOf('exempt', ['root'], 1), name: 'exempt' },
    { ...schemaOf('catch-all', ['*'], 10_000), name: 'catch-all' },
  ],
};

/** The service that a flow has received. */
export interface FlowOutcome {
  /** Completed requests. */
  served: number;
  refused: number;
  /** Seat-seconds of all requests that ran. */
  seatMs: number;
  longestWaitMs: number;
}

export class Simulation {
  readonly clock = new ManualClock();
  readonly controller: FlowController;
  readonly registry = new MetricRegistry();
  readonly outcomes = new Map<string, FlowOutcome>();

  constructor(seats: number | SeatShare) {
    const { clock } = this;
    const share = typeof seats === 'number' ? wholeShare(seats) : seats;
    const metrics = declareFlowMetrics(this.registry, clock);
    this.controller = new FlowController({
      clock,
      metrics,
      hash: weakHash,
      share,
      mandatory: MANDATORY,
    });
    this.controller.run();
  }

  outcome(user: string): FlowOutcome {
    let outcome = this.outcomes.get(user);
    if (outcome === undefined) {
      outcome = { served: 0, refused: 0, seatMs: 0, longestWaitMs: 0 };
      this.outcomes.set(user, outcome);
    }
    return outcome;
  }

  /** Sends one request; `onOver` is called when it has completed or was rejected. */
  send(user: string, durationMs: number, { estimate = ONE_SEAT, onOver = () => {} }: Sending = {}): void {
    const { clock, controller } = this;
    const request = requestOf(user);
    const outcome = this.outcome(user);
    const ticket = controller.start(controller.classify(request), request, estimate);
    const sentMs = clock.now();
    const refused = () => {
      outcome.refused++;
      onOver();
    };
    if (typeof ticket === 'string') {
      refused();
      return;
    }
    const run = () => {
      outcome.longestWaitMs = Math.max(outcome.longestWaitMs, clock.now() - sentMs);
      clock.after(durationMs, () => {
        ticket.release();
        outcome.served++;
        outcome.seatMs += durationMs * estimate.initialSeats;
        onOver();
      });
    };
    if (ticket.state === 'executing') run();
    else ticket.onDecided((executes) => (executes ? run() : refused()));
  }

  /** Keeps this many requests of a user in flight. */
  keepBusy(user: string, clients: number, durationMs: () => number, estimate?: WorkEstimate): void {
    const next = () => {
      // A rejected client retries a moment later.
      const again = () => void this.clock.after(1, next);
      this.send(user, durationMs(), estimate === undefined ? { onOver: again } : { estimate, onOver: again });
    };
    for (let client = 0; client < clients; client++) next();
  }
}

interface Sending {
  readonly estimate?: WorkEstimate;
  readonly onOver?: () => void;
}

export function requestOf(user: string): FlowRequest {
  const place = { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'default', name: '' };
  return { user: { name: user, groups: [] }, verb: 'list', isResource: true, path: '/api/v1/pods', ...place };
}

/** 64-bit FNV-1a: good enough to distinguish the flows of a test. */
function weakHash(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const character of text) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0)!)) * 0x100000001b3n);
  }
  return hash;
}
