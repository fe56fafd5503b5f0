// The lifecycles of API versions in releases of Kubernetes: when a kind was introduced, deprecated and removed, and what
// replaces it. What the newest release says of a kind holds; older releases only tell of kinds that are gone.

import type { GoPackages } from './go-sources.ts';

/** As Kubernetes' types have it: `introduced`, `deprecated` and `removed` are releases, `1.34`. */
interface LifecycleFacts {
  readonly introduced: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** `group/version/Kind` */
  readonly replacement?: string;
}

/** By group version and kind: `batch/v1beta1 CronJob`. */
export type LifecycleTable = Readonly<Record<string, LifecycleFacts>>;

/** The oldest minor release that can be served: what was introduced before it and stays need not be told. */
const OLDEST = 24;

/** The lifecycles of the kinds of a release; lists are as their items. */
export function lifecycleFacts(packages: GoPackages): LifecycleTable {
  const found: Record<string, LifecycleFacts> = {};
  for (const [path, { group, types }] of Object.entries(packages)) {
    const version = path.slice(path.lastIndexOf('/') + 1);
    for (const [kind, { lifecycle }] of Object.entries(types)) {
      if (lifecycle === undefined || kind.endsWith('List')) continue;
      found[`${group === '' ? '' : `${group}/`}${version} ${kind}`] = lifecycle as unknown as LifecycleFacts;
    }
  }
  return found;
}

/** The text of src/lifecycle/api-lifecycle-table.ts. */
export function lifecycleDeclarations(table: LifecycleTable): string {
  const rows = Object.entries(table)
    .filter(([, { introduced, deprecated }]) => deprecated !== undefined || Number(introduced.split('.')[1]) >= OLDEST)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { introduced, deprecated = '', removed = '', replacement = '' }]) => {
      const values = [...name.split(' '), introduced, deprecated, removed, replacement];
      while (values.at(-1) === '') values.pop();
      return `  [${values.map((each) => `'${each}'`).join(', ')}],\n`;
    });
  return `// The lifecycles of API versions of built-in kinds that are deprecated or younger than 1.${OLDEST}. Written by \`npm run kubernetes\`.

/** Group version, kind, and the releases that introduced, deprecated and removed it; then the kind that replaces it. */
export type LifecycleRow = readonly [
  groupVersion: string,
  kind: string,
  introduced: string,
  deprecated?: string,
  removed?: string,
  replacement?: string,
];

export const LIFECYCLES: readonly LifecycleRow[] = [
${rows.join('')}];
`;
}
