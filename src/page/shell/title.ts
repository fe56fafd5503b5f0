// Titles of the page's views, for the browser's tabs and history: the most specific part first.

import { findResource, pluralOf } from '../cluster/discovery.ts';
import { VIEWS } from './commands.ts';
import type { Place } from './router.ts';

/** Returns the title of the view at a location: `web · Deployments · shop · Keelson`. */
export function titleOf({ steps, query }: Place): string {
  const [root = '', group = '', version = '', name = '', namespace, object] = steps;
  const resource = findResource(group === 'core' ? '' : group, version, name);
  const kind = resource === undefined ? name : pluralOf(resource);
  const where = query.get('ns') ?? '';
  const parts =
    root === 'r'
      ? [object, kind, object === undefined ? where : namespace === '-' ? '' : namespace]
      : root === 'new'
        ? ['New', resource?.kind]
        : [VIEWS.find(({ step }) => step === root)?.title, where];
  return [...parts, 'Keelson'].filter((part) => part !== undefined && part !== '').join(' · ');
}
