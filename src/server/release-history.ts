// The releases of Kubernetes that a data folder has served: what each of them wrote may differ from what another reads.

import { Buffer } from 'node:buffer';
import { CURRENT_MINOR } from '../lifecycle/version.ts';
import type { Entry, Store } from '../store/store.ts';

/** The key of the history, outside of what is copied to other stores. A folder without one has served 1.34 only. */
const KEY = '/keelson/releases';

/** The number of moves between releases that are kept; what was written before them counts as that of another release. */
const MOVES = 100;

/** Minor releases of Kubernetes 1 that a folder has served. */
interface ReleaseHistory {
  readonly current: number;
  /** Those before, oldest first, each with the last revision that may have been written under it. */
  readonly earlier: readonly { readonly minor: number; readonly until: number }[];
}

/**
 * Whether another release may have written a revision; undefined if none has written any. Records that this minor
 * release of Kubernetes 1 is served now.
 */
export async function writtenByOthers(
  store: Store,
  minor: number,
): Promise<((revision: number) => boolean) | undefined> {
  const { earlier } = await recorded(store, await store.get(KEY), minor);
  if (earlier.every((each) => each.minor === minor)) return undefined;
  return (revision) => {
    const writer = earlier.find(({ until }) => revision <= until);
    return writer !== undefined && writer.minor !== minor;
  };
}

/** The history with the release that is served now, which is written if it is another one than before. */
async function recorded(store: Store, entry: Entry | undefined, minor: number): Promise<ReleaseHistory> {
  const before: ReleaseHistory =
    entry === undefined
      ? { current: CURRENT_MINOR, earlier: [] }
      : (JSON.parse(entry.value.toString()) as ReleaseHistory);
  if (before.current === minor) return before;
  const isNew = entry === undefined && (await store.list('', { limit: 1 })).entries.length === 0;
  const earlier = isNew ? [] : [...before.earlier, { minor: before.current, until: store.currentRevision() }];
  const history = { current: minor, earlier: bounded(earlier) };
  await store.put(KEY, Buffer.from(JSON.stringify(history)), entry?.revision ?? 'absent');
  return history;
}

/** At most so many entries; the oldest ones become one, of no release. */
function bounded(earlier: ReleaseHistory['earlier']): ReleaseHistory['earlier'] {
  const forgotten = earlier.slice(0, -MOVES).at(-1);
  return forgotten === undefined ? earlier : [{ minor: 0, until: forgotten.until }, ...earlier.slice(-MOVES)];
}
