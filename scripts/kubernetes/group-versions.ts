// The declaration of group versions, from the table of types: those of a release are the ones of its root types.

import type { Span, TypeTable } from './table.ts';

/** Group versions that no API server registers its common kinds in. */
const WITHOUT_COMMON_KINDS = /^(?:apidiscovery|audit)\.k8s\.io\//;

/** The text of src/resources/builtin/meta/group-versions.ts. */
export function groupVersionDeclarations(table: TypeTable): string {
  const found = new Map<string, Span<object>>();
  for (const { spans } of Object.values(table)) {
    for (const { kind, since, until } of spans) {
      const groupVersion = kind?.slice(0, kind.lastIndexOf('/'));
      if (groupVersion === undefined || WITHOUT_COMMON_KINDS.test(groupVersion)) continue;
      found.set(groupVersion, joined(found.get(groupVersion), { since, until }));
    }
  }
  const rows = [...found]
    .sort(([one], [other]) => (sortKey(one) < sortKey(other) ? -1 : 1))
    .map(([name, { since, until }]) => `  '${name}': { ${bound('since', since)}${bound('until', until)} },\n`);
  return `// The group versions of Kubernetes' API modules, with the first and last minor releases that have them. Written by
// \`npm run kubernetes\`.

import { lookup } from '../../../base/lookup.ts';
import type { Span } from '../../../schema/declared-struct.ts';

export const GROUP_VERSIONS: Readonly<Record<string, Span>> = lookup({
${rows.join('')}});
`;
}

type Bounds = { readonly since?: number | undefined; readonly until?: number | undefined };

function joined(before: Bounds | undefined, now: Bounds): Span<object> {
  const since = before === undefined ? now.since : least(before.since, now.since);
  const until = before === undefined ? now.until : most(before.until, now.until);
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

/** Without a bound there is none. */
function least(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.min(one, other);
}

function most(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.max(one, other);
}

/** The core group comes first, as its name is empty. */
function sortKey(groupVersion: string): string {
  return groupVersion.includes('/') ? groupVersion : `/${groupVersion}`;
}

function bound(name: string, minor: number | undefined): string {
  return minor === undefined ? '' : `${name}: ${minor}, `;
}
