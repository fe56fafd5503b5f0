// What an autoscaler has recommended and done lately: it goes down only to the highest recent recommendation, and no
// faster than its policies allow.

/** The longest that a policy or a stabilization window may look back, by validation. */
const LONGEST_MS = 3_600_000;

interface Moment {
  readonly atMs: number;
  /** Replicas: how many, or how many more. */
  readonly count: number;
}

export class ScalingHistory {
  #recommendations: Moment[] = [];
  #changes: Moment[] = [];

  /** The number of replicas that the first look finds is a recommendation too. */
  begin(replicas: number, nowMs: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ atMs: nowMs, count: replicas });
  }

  recommend(replicas: number, nowMs: number): void {
    this.#recommendations = recent(this.#recommendations, nowMs);
    this.#recommendations.push({ atMs: nowMs, count: replicas });
  }

  /** Remembers that replicas were added, or removed if it is negative. */
  scaled(by: number, nowMs: number): void {
    this.#changes = recent(this.#changes, nowMs);
    this.#changes.push({ atMs: nowMs, count: by });
  }

  /** The recommendations at that time and after it. */
  recommendedSince(sinceMs: number): number[] {
    return this.#recommendations.filter(({ atMs }) => atMs >= sinceMs).map(({ count }) => count);
  }

  /** How many replicas were there a while ago. */
  replicasBefore(current: number, periodMs: number, nowMs: number): number {
    const changes = this.#changes.filter(({ atMs }) => atMs > nowMs - periodMs);
    return changes.reduce((replicas, { count }) => replicas - count, current);
  }
}

function recent(moments: readonly Moment[], nowMs: number): Moment[] {
  return moments.filter(({ atMs }) => atMs >= nowMs - LONGEST_MS);
}
