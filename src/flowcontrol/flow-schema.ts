// A flow schema at work: which requests are its own, and which of its flows each belongs to.

import { limits } from '../base/limits.ts';
import type { FlowMetrics } from '../lifecycle/flow-metrics.ts';
import { FlowSeries } from '../lifecycle/flow-metrics.ts';
import type { FlowSchemaConfiguration } from './configuration.ts';
import type { FlowRequest } from './flow-request.ts';
import type { PriorityLevel } from './priority-level.ts';
import { requestMatcher } from './request-matcher.ts';
import { dealHand } from './shuffle-shard.ts';

/** 64 bits of the SHA-256 of a text: its first eight bytes, little endian. */
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
  /** Hands by distinguisher. They hold as long as the schema's level keeps its queues; then there is a new schema. */
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

  /** What tells the flow of a request from others of the schema; '' where its level has at most one queue. */
  distinguisher({ user, namespace }: FlowRequest): string {
    if ((this.level.queuing?.queues ?? 0) <= 1) return '';
    if (this.#method === 'ByUser') return user.name;
    return this.#method === 'ByNamespace' ? namespace : '';
  }

  /** The queues of a flow, by index; none where the level has none. */
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
