// Health checks: /healthz, /livez and /readyz, with all checks or a single one.

import { countedPaths } from '../filters/counted-paths.ts';
import type { RequestContext } from '../request-context.ts';
import type { HealthCheck, HealthEndpoint } from './health-checks.ts';

/** Responds to one of the three paths or a single check. @returns false if there is no such path */
export async function respondHealth(context: RequestContext, path: string): Promise<boolean> {
  const [endpoint = '', ...segments] = path.slice(1).split('/');
  if (!isEndpoint(endpoint)) return false;
  const checks = context.services.health.of(endpoint);
  const name = segments.join('/');
  if (segments.length === 0) {
    context.countAs(countedPaths[endpoint]);
    await respondAll(context, endpoint, checks);
    return true;
  }
  const one = checks.find((each) => each.name === name);
  if (one === undefined) return false;
  const fault = await one.check();
  if (fault !== undefined) respondText(context, 500, `internal server error: ${fault}\n`);
  else context.respond(200, context.headers('text/plain; charset=utf-8'), 'ok');
  return true;
}

async function respondAll(context: RequestContext, endpoint: HealthEndpoint, checks: HealthCheck[]): Promise<void> {
  const { health, log } = context.services;
  const excluded = new Set(context.query.all('exclude').filter((name) => name !== ''));
  const unknown = new Set(excluded);
  const lines: string[] = [];
  let failed = false;
  for (const check of checks) {
    const { name, group = '' } = check;
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
    const fault = await health.run(check, endpoint);
    if (fault !== undefined) log.warn('health check failed', { check: name, fault });
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
