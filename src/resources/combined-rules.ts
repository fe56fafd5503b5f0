// Rules of a kind combined from parts, for example from those of its validation and those of its preparation.

import { ownMember } from '../api/own-member.ts';
import type { KindRules } from './definition.ts';

/**
 * The rules of all parts; of rules that several parts have, those of the last one count. Rules of steps, deletions and
 * subresources are combined in the same way.
 *
 * @example combined(deploymentRules, { subresources: { status: { keeps: ['labels'] } } })
 */
export function combined<T>(...parts: readonly KindRules<T>[]): KindRules<T> {
  let all: KindRules<T> = {};
  for (const part of parts) {
    const groups = { ...both(all, part, 'checks'), ...both(all, part, 'deletion'), ...subresources(all, part) };
    all = { ...all, ...part, ...groups };
  }
  return all;
}

function both<T, Name extends 'checks' | 'deletion'>(all: KindRules<T>, part: KindRules<T>, name: Name) {
  return all[name] === undefined || part[name] === undefined ? {} : { [name]: { ...all[name], ...part[name] } };
}

function subresources<T>(all: KindRules<T>, part: KindRules<T>): Pick<KindRules<T>, 'subresources'> {
  if (all.subresources === undefined || part.subresources === undefined) return {};
  const { subresources: known } = all;
  const merged = Object.entries(part.subresources).map(([name, rules]) => [
    name,
    { ...ownMember(known, name), ...rules },
  ]);
  return { subresources: { ...known, ...Object.fromEntries(merged) } };
}
