// A FlowSchema at work: which requests it matches, and their flows.

import { limits } from '../base/limits.ts';
import type { FlowMetrics } from '../lifecycle/flow-metrics.ts';
import { FlowSeries } from '../lifecycle/flow-metrics.ts';
import type { FlowSchemaConfiguration } from './configuration.ts';
import type { FlowRequest } from './flow-request.ts';
import type { PriorityLevel } from './priority-level.ts';
import { requestMatcher } from './request-matcher.ts';
import { dealHand } from './shuffle-shard.ts';

/** The first eight bytes of a text's SHA-256, little endian. */
export type FlowHash = (text: string) => bigint;

export class FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly level: PriorityLevel;
  readonly matches: (request: FlowRequest) => boolean;
  readonly #method: string | undefined;
  readonly #hash: FlowHash;
  readonly #metrics: FlowMetrics;
  #series: FlowSeries | undefined;
  /**
   * Hands by flow distinguisher. They are valid as long as the schema's level keeps its queues; then the schema is
   * replaced.
   */
  readonly #hands = new Map<string, readonly number[]>();

  constructor(
    { name, uid, spec }: FlowSchemaConfiguration,
    level: PriorityLevel,
    { hash, metrics }: { hash: FlowHash; metrics: FlowMetrics },
  ) {
    this.name = name;
    this.uid = uid;
    this.level = level;
    this.matches = requestMatcher(spec);
    this.#method = spec.distinguisherMethod?.type;
    this.#hash = hash;
    this.#metrics = metrics;
  }

  get series(): FlowSeries {
    this.#series ??= new FlowSeries(this.#metrics, { priority_level: this.level.name, flow_schema: this.name });
    return this.#series;
  }

  /** The flow distinguisher of a request; '' if its level has at most one queue. */
  distinguisher({ user, namespace }: FlowRequest): string {
    if ((this.level.queuing?.queues ?? 0) <= 1) return '';
    if (this.#method === 'ByUser') return user.name;
    return this.#method === 'ByNamespace' ? namespace : '';
  }

  /** The queues of a flow, by index; empty if the level has none. */
  hand(distinguisher: string): readonly number[] {
    const known = this.#hands.get(distinguisher);
    if (known !== undefined) return known;
    const { queuing } = this.level;
    if (queuing === undefined) return [];
    const hash = queuing.queues > 1 ? this.#hash(`${this.name}\0${distinguisher}`) : 0n;
    const hand = dealHand(hash, queuing.queues, queuing.handSize);
    if (this.#hands.size >= limits.rememberedFlows) this.#hands.clear();
    this.#hands.set(distinguisher, hand);
    return hand;
  }
}
