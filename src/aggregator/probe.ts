// Availability probe of another API server: several concurrent requests, because its service may have several
// endpoints, of which one suffices.

import { limits } from '../base/limits.ts';
import type { RemoteApiService } from './api-service-index.ts';
import { AGGREGATOR, type AskApiService, AskError } from './ask.ts';

/** The discovery path of a group version. */
export function discoveryPath({ group, version }: Pick<RemoteApiService, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** @returns why it is unavailable, as in conditions; undefined if it is available */
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
