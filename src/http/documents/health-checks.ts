// The health checks of a server, by endpoint.

import type { Soon } from '../../base/soon.ts';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

export interface HealthCheck {
  readonly name: string;
  /** By which it may be left out together with others. */
  readonly group?: string;
  readonly endpoints: readonly HealthEndpoint[];
  /** Undefined if healthy, otherwise the reason, for the log; clients only see that the check failed. */
  readonly check: () => Soon<string | undefined>;
}

/** Counts results of checks. */
export interface HealthCheckMetrics {
  checked(name: string, type: HealthEndpoint, isWell: boolean): void;
}

export class HealthChecks {
  readonly #checks: readonly HealthCheck[];
  readonly #metrics: HealthCheckMetrics;

  constructor(checks: readonly HealthCheck[], metrics: HealthCheckMetrics) {
    this.#checks = checks;
    this.#metrics = metrics;
  }

  /** Paths of all checks, for the list of paths. */
  paths(): string[] {
    const paths: string[] = [];
    for (const endpoint of ['healthz', 'livez', 'readyz'] as const) {
      paths.push(`/${endpoint}`, ...this.of(endpoint).map(({ name }) => `/${endpoint}/${name}`));
    }
    return paths;
  }

  of(endpoint: HealthEndpoint): HealthCheck[] {
    return this.#checks.filter(({ endpoints }) => endpoints.includes(endpoint));
  }

  /** Runs and counts a check of a whole endpoint. @returns why it failed, undefined if it did not */
  async run({ name, check }: HealthCheck, endpoint: HealthEndpoint): Promise<string | undefined> {
    const fault = await check();
    this.#metrics.checked(name, endpoint, fault === undefined);
    return fault;
  }
}
