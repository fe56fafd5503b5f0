// Health checks: /healthz, /livez and /readyz, with all checks or a single one.

import type { Soon } from '../../base/soon.ts';
import { countedPaths } from '../filters/counted-paths.ts';
import type { RequestContext } from '../request-context.ts';

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
      paths.push(`/${endpoint}`, ...this.#of(endpoint).map(({ name }) => `/${endpoint}/${name}`));
    }
    return paths;
  }

  /** Responds to one of the three paths or a single check. @returns false if there is no such path */
  async respond(context: RequestContext, path: string): Promise<boolean> {
    const [endpoint = '', ...segments] = path.slice(1).split('/');
    if (!isEndpoint(endpoint)) return false;
    const checks = this.#of(endpoint);
    const name = segments.join('/');
    if (segments.length === 0) {
      context.counted = countedPaths[endpoint];
      await this.#respondAll(context, endpoint, checks);
      return true;
    }
    const one = checks.find((each) => each.name === name);
    if (one === undefined) return false;
    const fault = await one.check();
    if (fault !== undefined) respondText(context, 500, `internal server error: ${fault}\n`);
    else context.respond(200, context.headers('text/plain; charset=utf-8'), 'ok');
    return true;
  }

  #of(endpoint: HealthEndpoint): HealthCheck[] {
    return this.#checks.filter(({ endpoints }) => endpoints.includes(endpoint));
  }

  async #respondAll(context: RequestContext, endpoint: HealthEndpoint, checks: HealthCheck[]): Promise<void> {
    const excluded = new Set(context.query.all('exclude').filter((name) => name !== ''));
    const unknown = new Set(excluded);
    const lines: string[] = [];
    let failed = false;
    for (const { name, group = '', check } of checks) {
      if (excluded.has(name)) {
        unknown.delete(name);
        lines.push(`[+]${name} excluded: ok`);
        continue;
      }
      if (excluded.has(group)) {
        unknown.delete(group);
        lines.push(`[+]${name} excluded with ${group}: ok`);
        continue;
      }
      const fault = await check();
      this.#metrics.checked(name, endpoint, fault === undefined);
      if (fault !== undefined) context.services.log.warn('health check failed', { check: name, fault });
      failed ||= fault !== undefined;
      lines.push(fault === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`);
    }
    if (unknown.size > 0) {
      const names = [...unknown]
        .sort()
        .map((name) => JSON.stringify(name))
        .join(',');
      lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
    }
    if (failed) {
      respondText(context, 500, `${lines.join('\n')}\n${endpoint} check failed\n`);
      return;
    }
    const verbose = context.query.has('verbose');
    respondText(context, 200, verbose ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok');
  }
}

function isEndpoint(text: string): text is HealthEndpoint {
  return text === 'healthz' || text === 'livez' || text === 'readyz';
}

/** Responds with plain text. */
export function respondText(context: RequestContext, status: number, text: string): void {
  context.respond(
    status,
    { ...context.headers('text/plain; charset=utf-8'), 'x-content-type-options': 'nosniff' },
    text,
  );
}

/** The response for an unknown path. */
export function respondPageNotFound(context: RequestContext): void {
  respondText(context, 404, '404 page not found\n');
}
