// What the overview finds in the tables of a cluster: how many objects of a kind are in which state, and which need
// attention.

import type { Resource } from '../cluster/discovery.ts';
import type { Column, ObjectMeta, Row } from '../cluster/live-table.ts';
import { type Finding, type Health, healthOf } from './health.ts';

interface Tally {
  readonly health: Health;
  readonly label: string;
  readonly count: number;
}

/** An object that is not well. */
export interface Trouble {
  readonly resource: Resource;
  readonly meta: ObjectMeta;
  readonly finding: Finding;
}

export interface Findings {
  readonly total: number;
  /** From best to worst. */
  readonly tallies: readonly Tally[];
  readonly troubles: readonly Trouble[];
}

const ORDER: readonly Health[] = ['good', 'done', 'warn', 'bad'];

/** Examines the rows of one of the judged kinds. */
export function examine(resource: Resource, columns: readonly Column[], rows: readonly Row[]): Findings {
  const kind = `${resource.group}/${resource.name}`;
  const places = new Map(columns.map(({ name }, at) => [name, at]));
  const tallies = new Map<string, Tally>();
  const troubles: Trouble[] = [];
  for (const { cells, meta } of rows) {
    const finding = healthOf(kind, (column) => String(cells[places.get(column) ?? -1] ?? ''));
    const { health, label } = finding;
    const key = `${health} ${label}`;
    tallies.set(key, { health, label, count: (tallies.get(key)?.count ?? 0) + 1 });
    if (health === 'warn' || health === 'bad') troubles.push({ resource, meta, finding });
  }
  const byHealth = (a: Tally, b: Tally): number => ORDER.indexOf(a.health) - ORDER.indexOf(b.health);
  return { total: rows.length, tallies: [...tallies.values()].sort(byHealth), troubles };
}

/** Returns the worst first; of equal ones in the order in which they were found. */
export function worstFirst(troubles: readonly Trouble[]): readonly Trouble[] {
  return troubles.toSorted((a, b) => ORDER.indexOf(b.finding.health) - ORDER.indexOf(a.finding.health));
}
