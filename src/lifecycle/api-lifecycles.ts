// API lifecycle of built-in kinds: the releases that introduced, deprecated and removed each version, and its
// replacement. Deprecation warnings, and the versions served by an emulated release, are derived from it. Kinds that
// are not listed are not deprecated.

import { LIFECYCLES, type LifecycleRow } from './api-lifecycle-table.ts';

export interface ApiLifecycle {
  /** Releases as `1.34`. */
  readonly introduced: string;
  readonly deprecated: string;
  /** The release that no longer serves it; undefined if unknown. */
  readonly removed?: string;
  /** `group/version/Kind` */
  readonly replacement?: string;
}

const ROWS: ReadonlyMap<string, LifecycleRow> = new Map(LIFECYCLES.map((row) => [`${row[0]} ${row[1]}`, row]));

/** The minor version of Kubernetes 1 that introduced a version of a kind; 0 for one older than what can be emulated. */
export function introducedMinor(groupVersion: string, kind: string): number {
  const [, , introduced] = ROWS.get(`${groupVersion} ${kind}`) ?? [];
  return introduced === undefined ? 0 : minor(introduced);
}

/** Whether a release (`1.34`) no longer has a version of a kind. */
export function isRemoved(groupVersion: string, kind: string, release: string): boolean {
  const removed = apiLifecycle(groupVersion, kind)?.removed;
  return removed !== undefined && minor(removed) <= minor(release);
}

/** The lifecycle of a version of a kind; undefined if it is not deprecated in any known release. */
export function apiLifecycle(groupVersion: string, kind: string): ApiLifecycle | undefined {
  const [, , introduced = '', deprecated = '', removed = '', replacement = ''] =
    ROWS.get(`${groupVersion} ${kind}`) ?? [];
  if (deprecated === '') return undefined;
  return { introduced, deprecated, ...(removed !== '' && { removed }), ...(replacement !== '' && { replacement }) };
}

/**
 * The warning for a kind that `release` has deprecated, in Kubernetes' words.
 * @param release the emulated one: `1.34`
 */
export function deprecationWarning(groupVersion: string, kind: string, release: string): string | undefined {
  const lifecycle = apiLifecycle(groupVersion, kind);
  if (lifecycle === undefined || minor(lifecycle.deprecated) > minor(release)) return undefined;
  const { deprecated, removed, replacement } = lifecycle;
  const unavailable = removed === undefined ? '' : `, unavailable in v${removed}+`;
  return `${groupVersion} ${kind} is deprecated in v${deprecated}+${unavailable}${replacement === undefined ? '' : `; use ${named(replacement)}`}`;
}

/** `group/version/Kind` as in messages. */
function named(replacement: string): string {
  const slash = replacement.lastIndexOf('/');
  return `${replacement.slice(0, slash)} ${replacement.slice(slash + 1)}`;
}

function minor(release: string): number {
  return Number(release.slice(release.indexOf('.') + 1));
}
