// The table of facts about Kubernetes' API types in all releases that Keelson knows: table/types/, a file for each
// package, a line for each field. Whatever is the same in adjacent releases is one span.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldFacts, ReleaseTypes, StructFacts, Union } from './type-facts.ts';

/** Something that holds from one minor release to another; without bounds, from the first or to the last known one. */
export type Span<T> = T & { readonly since?: number; readonly until?: number };

/** A struct in all releases. */
export interface TableType {
  /** The releases in which it exists, with its facts. */
  readonly spans: readonly Span<TypeFacts>[];
  readonly fields: Readonly<Record<string, readonly Span<FieldFacts>[]>>;
}

/** Facts about a struct itself. */
interface TypeFacts {
  readonly kind?: string;
  readonly mapType?: string;
  readonly union?: Union;
}

/** Types by name: `apps/v1.Deployment`. */
export type TypeTable = Readonly<Record<string, TableType>>;

/** Types of each minor release. */
export interface Releases {
  readonly minors: readonly number[];
  readonly types: ReadonlyMap<number, ReleaseTypes>;
}

/** The table of some releases. */
export function tableOf({ minors, types }: Releases): TypeTable {
  const names = new Set([...types.values()].flatMap((each) => Object.keys(each)));
  const table: Record<string, TableType> = {};
  for (const name of [...names].sort()) {
    const history = minors.map((minor) => types.get(minor)?.[name]);
    const fields = fieldOrder(history).map((field) => {
      const spans = spansOf(minors, (at) => history[at]?.fields[field]);
      return [field, spans] as const;
    });
    const spans = spansOf(minors, (at) => history[at] && ownFacts(history[at]));
    table[name] = { spans, fields: Object.fromEntries(fields) };
  }
  return table;
}

/** `apps/v1` of `apps/v1.Deployment`. */
export function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

function ownFacts({ kind, mapType, union }: StructFacts): TypeFacts {
  return { ...(kind && { kind }), ...(mapType && { mapType }), ...(union && { union }) };
}

/** All fields in the order of the newest release; one that is gone stands after the field that it followed. */
function fieldOrder(history: readonly (StructFacts | undefined)[]): string[] {
  const order: string[] = [];
  for (const facts of history.toReversed()) {
    let after = -1;
    for (const field of Object.keys(facts?.fields ?? {})) {
      const place = order.indexOf(field);
      if (place < 0) order.splice(++after, 0, field);
      else after = place;
    }
  }
  return order;
}

function spansOf<T extends object>(minors: readonly number[], at: (index: number) => T | undefined): Span<T>[] {
  const spans: { facts: T; text: string; first: number; last: number }[] = [];
  for (const index of minors.keys()) {
    const facts = at(index);
    if (facts === undefined) continue;
    const text = JSON.stringify(facts);
    const before = spans.at(-1);
    if (before !== undefined && before.last === index - 1 && before.text === text) before.last = index;
    else spans.push({ facts, text, first: index, last: index });
  }
  return spans.map(({ facts, first, last }) => ({
    ...facts,
    ...(first > 0 && { since: minors[first] as number }),
    ...(last < minors.length - 1 && { until: minors[last] as number }),
  }));
}

/** What a span says in a release; undefined if nothing. */
export function inRelease<T>(spans: readonly Span<T>[], minor: number): Span<T> | undefined {
  return spans.find(({ since = 0, until = Number.POSITIVE_INFINITY }) => since <= minor && minor <= until);
}

/** Writes a table as one file for each package, replacing those that are there. */
export function writeTable(folder: string, table: TypeTable): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packages = Map.groupBy(Object.entries(table), ([name]) => packageOf(name));
  for (const [each, types] of packages) {
    const blocks = types.map(([name, { spans, fields }]) => {
      const lines = Object.entries(fields).map(([field, facts]) => `  ${JSON.stringify(field)}: ${line(facts)}`);
      return ` ${JSON.stringify(name)}: {\n${[`  "$": ${line(spans)}`, ...lines].join(',\n')}\n }`;
    });
    writeFileSync(join(folder, `${each.replace('/', '_')}.json`), `{\n${blocks.join(',\n')}\n}\n`);
  }
}

function line(value: unknown): string {
  return JSON.stringify(value);
}

/** Reads a table that writeTable has written. */
export function readTable(folder: string): TypeTable {
  const table: Record<string, TableType> = {};
  for (const file of readdirSync(folder).sort()) {
    const types = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, Record<string, unknown[]>>;
    for (const [name, { $, ...fields }] of Object.entries(types)) {
      table[name] = { spans: $, fields } as unknown as TableType;
    }
  }
  return table;
}

/** The types of each release in a table, to add a further release to them. */
export function releasesOf(table: TypeTable, minors: readonly number[]): Releases {
  const types = new Map<number, ReleaseTypes>();
  for (const minor of minors) {
    const there = Object.entries(table).flatMap(([name, type]) => {
      const own = inRelease(type.spans, minor);
      if (own === undefined) return [];
      const fields = Object.entries(type.fields).flatMap(([field, spans]) => {
        const facts = inRelease(spans, minor);
        return facts === undefined ? [] : [[field, bare(facts)] as const];
      });
      return [[name, { ...bare(own), fields: Object.fromEntries(fields) }] as const];
    });
    types.set(minor, Object.fromEntries(there) as ReleaseTypes);
  }
  return { minors, types };
}

function bare<T>({ since: _since, until: _until, ...facts }: Span<T>): T {
  return facts as unknown as T;
}
