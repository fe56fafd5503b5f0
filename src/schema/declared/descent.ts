// Rules about what is in a value: items of lists, keys and values of maps, members of structs.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { firstBy } from '../../base/first-places.ts';
import type { Field, ListNode, MapNode, Node, StructNode } from '../node.ts';
import { equalValues } from '../opaque-text.ts';
import { inDeclaredOrder } from './declared-order.ts';
import { type Judged, NO_ERRORS, type Rule } from './judged.ts';
import { itemConditions, type Tag } from './tags.ts';
import { valueRule } from './value-rules.ts';

/** The rules of a struct, if it has any. */
type StructRules = (type: StructNode) => Rule | undefined;

/** The rules for what is in a value; undefined if there are none. */
export function descentOf(node: Node, tags: readonly Tag[], struct: StructRules): Rule | undefined {
  switch (node.kind) {
    case 'struct':
      return combined([...(node.form === undefined ? [struct(node)] : []), ...subfieldRules(node, tags)]);
    case 'list':
      return listRule(node, tags, struct);
    case 'map':
      return mapRule(node, tags, struct);
    default:
      return undefined;
  }
}

function combined(rules: readonly (Rule | undefined)[]): Rule | undefined {
  const there = rules.filter((rule) => rule !== undefined);
  if (there.length === 0) return undefined;
  return (judged) => there.flatMap((rule) => rule(judged));
}

/** Items have no pointer and are never left out. */
function itemField(node: Node): Field {
  return { node, pointer: false } as Field;
}

/** The rules of a value in a list or map: those of its tags, and those of its type. */
function itemRule(node: Node, tags: readonly Tag[], struct: StructRules): Rule | undefined {
  const own = tags.flatMap((tag) => valueRule(tag, itemField(node))?.check ?? []);
  return combined([...own, descentOf(node, tags, struct)]);
}

function subfieldRules(node: StructNode, tags: readonly Tag[]): Rule[] {
  return tags.flatMap(({ name, argument = '', inner }): Rule[] => {
    const field = name === 'subfield' ? node.jsonFields.get(argument) : undefined;
    const rule = field && inner && valueRule(inner, field);
    if (field === undefined || rule === undefined) return [];
    return [
      ({ next, previous, updates, path, scope }) => {
        const [value, before] = [
          ownMember(next as JsonObject, argument),
          ownMember(previous as JsonObject | undefined, argument),
        ];
        if (updates && value === before) return NO_ERRORS;
        if (value === undefined && rule.judgesUnset !== true) return NO_ERRORS;
        return rule.check({ next: value, previous: before, updates, path: `${path}.${argument}`, scope });
      },
    ];
  });
}

function listRule(node: ListNode, tags: readonly Tag[], struct: StructRules): Rule | undefined {
  const keys = tags.flatMap(({ name, value }) => (name === 'listMapKey' && value !== undefined ? [value] : []));
  const isSet = tags.some(({ name, value }) => (name === 'listType' || name === 'unique') && value === 'set');
  const isUnique = (isSet || keys.length > 0) && !tags.some(({ name }) => name === 'customUnique');
  const each = tags.flatMap(({ name, inner }) => (name === 'eachVal' && inner !== undefined ? [inner] : []));
  const item = itemRule(node.items, each, struct);
  const single = memberRules(tags);
  if (item === undefined && single.length === 0 && !isUnique) return undefined;
  const correlates = isSet || keys.length > 0;
  return (judged) => {
    if (!Array.isArray(judged.next)) return NO_ERRORS;
    const { next, path } = judged as Judged & { next: readonly Json[] };
    const found: FieldError[] = single.flatMap((rule) => rule(judged) as FieldError[]);
    if (isUnique) found.push(...repeated(next, { keys, path, node: node.items }));
    const before = Array.isArray(judged.previous) && correlates ? judged.previous : [];
    const known = firstBy(item === undefined ? [] : before, (each) => identity(each, keys));
    for (const [index, value] of item === undefined ? [] : next.entries()) {
      const previous = known.size === 0 ? undefined : known.get(identity(value, keys));
      const updates = judged.updates && previous !== undefined;
      if (updates && equalValues(node.items, previous, value)) continue;
      found.push(...(item as Rule)({ ...judged, next: value, previous, updates, path: `${path}[${index}]` }));
    }
    return found;
  };
}

/** A text that identifies an item of a list: its keys, or the whole item if there are none. */
function identity(item: Json, keys: readonly string[]): string {
  const told = keys.length === 0 ? [item] : keys.map((key) => ownMember(item as JsonObject, key) ?? null);
  return JSON.stringify(told, (_, each) => (typeof each === 'bigint' ? String(each) : each));
}

/** Every item that repeats an earlier one. */
function repeated(
  items: readonly Json[],
  { keys, path, node }: { readonly keys: readonly string[]; readonly path: string; readonly node: Node },
): FieldError[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const text = identity(item, keys);
    if (seen.has(text)) return [fieldError.duplicate(`${path}[${index}]`, inDeclaredOrder(item, node))];
    seen.add(text);
    return [];
  });
}

/** `item(type: "Approved")=+k8s:zeroOrOneOfMember`: at most one of these items may be there. */
function memberRules(tags: readonly Tag[]): Rule[] {
  const members = tags.flatMap(({ name, argument = '', inner }) =>
    name === 'item' && inner?.name === 'zeroOrOneOfMember' ? [itemConditions(argument)] : [],
  );
  if (members.length === 0) return [];
  return [
    ({ next, previous, updates, path }) => {
      const shown = (conditions: readonly [string, string][]) => {
        const text = conditions.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ');
        return `${path.slice(path.lastIndexOf('.') + 1)}[{${text}}]`;
      };
      const has = (list: Json | undefined, conditions: readonly [string, string][]) =>
        Array.isArray(list) &&
        list.some((item) => conditions.every(([key, value]) => ownMember(item as JsonObject, key) === value));
      const present = members.filter((member) => has(next, member));
      if (present.length < 2) return NO_ERRORS;
      if (updates && members.every((member) => has(next, member) === has(previous, member))) return NO_ERRORS;
      const why = `must specify at most one of: ${members.map((member) => `\`${shown(member)}\``).join(', ')}`;
      return [fieldError.invalid(path, `{${present.map(shown).join(', ')}}`, why)];
    },
  ];
}

function mapRule(node: MapNode, tags: readonly Tag[], struct: StructRules): Rule | undefined {
  const of = (name: string) => tags.flatMap((tag) => (tag.name === name && tag.inner !== undefined ? [tag.inner] : []));
  const value = itemRule(node.values, of('eachVal'), struct);
  const key = itemRule({ kind: 'string' }, of('eachKey'), struct);
  if (value === undefined && key === undefined) return undefined;
  return (judged) => {
    const { next, path, updates } = judged;
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return NO_ERRORS;
    const found: FieldError[] = [];
    // Kubernetes goes through a map in no order; ours is that of names.
    for (const name of Object.keys(next).sort()) {
      const before = ownMember(judged.previous as JsonObject | undefined, name);
      if (before === undefined && key !== undefined)
        found.push(...key({ ...judged, next: name, previous: undefined, updates: false }));
      const isKept = updates && before !== undefined;
      if (value === undefined || (isKept && equalValues(node.values, before, next[name]))) continue;
      found.push(
        ...value({ ...judged, next: next[name], previous: before, updates: isKept, path: `${path}[${name}]` }),
      );
    }
    return found;
  };
}
