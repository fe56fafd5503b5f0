// Availability probe of another API server: asked several times at once, for its service may have several endpoints, and
// one that answers is enough.

import { limits } from '../base/limits.ts';
import type { RemoteApiService } from './api-service-index.ts';
import { AGGREGATOR, type AskApiService, AskError } from './ask.ts';

/** The path that every server of a version has. */
export function discoveryPath({ group, version }: Pick<RemoteApiService, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** @returns why it does not answer, as conditions say it; undefined when it does */
export async function probe(apiService: RemoteApiService, ask: AskApiService): Promise<string | undefined> {
  const path = discoveryPath(apiService);
  const attempts = Array.from({ length: limits.apiServiceProbes }, async () => {
    const { status, url } = await ask(apiService, { path, user: AGGREGATOR, verified: false });
    if (status < 200 || status > 299) throw new AskError(url, `bad status from ${url}: ${status}`);
  });
  try {
    await Promise.any(attempts);
    return undefined;
  } catch (error) {
    const [first] = (error as AggregateError).errors as Error[];
    if (!(first instanceof AskError)) throw first;
    return first.url === '' ? first.message : `failing or missing response from ${first.url}: ${first.message}`;
  }
}
