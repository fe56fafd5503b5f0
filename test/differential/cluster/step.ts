// The steps of a sequence, and how they are chosen.

/** A step of a sequence: a request that both sides get. */
export interface Step {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the namespace where it says NS, such as `apis/apps/v1/NS/deployments`; `$NS` is its name, in bodies too. */
  readonly path: string;
  readonly body?: unknown;
  /** Whether to wait until the cluster has come to rest before the next one. */
  readonly waits: boolean;
}

export type Chooser = <T>(...choices: readonly T[]) => T;
