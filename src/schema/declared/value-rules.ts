// Rules about one value: whether it may be there, how it may change, and what it may be.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { IMMUTABLE } from '../../api/metadata-validation.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { byteLength } from '../../base/byte-length.ts';
import { firstPlaces } from '../../base/first-places.ts';
import type { Field } from '../node.ts';
import { FORMATS } from './formats.ts';
import { type Judged, NO_ERRORS as NONE } from './judged.ts';
import type { Tag } from './tags.ts';

/** A rule of one tag. */
export interface ValueRule {
  /** An error of this rule keeps others from being tried. */
  readonly decides?: true;
  /** It is tried although there is no value. */
  readonly judgesUnset?: true;
  readonly check: (judged: Judged) => readonly FieldError[];
}

/** Whether a field has no value: absent, or empty and not a pointer. */
export function isUnset(value: Json | undefined, { node, pointer }: Pick<Field, 'node' | 'pointer'>): boolean {
  if (value === undefined || value === null) return true;
  if (node.kind === 'list') return Array.isArray(value) && value.length === 0;
  if (node.kind === 'map') return typeof value === 'object' && Object.keys(value).length === 0;
  return !pointer && (value === '' || value === 0 || value === false);
}

/**
 * The rule of a tag for a field; undefined if the tag is no rule about a value.
 * @param keys the members that identify an item of a list
 */
export function valueRule(tag: Tag, field: Field, keys: readonly string[] = []): ValueRule | undefined {
  switch (tag.name) {
    case 'required':
      return { decides: true, judgesUnset: true, check: requires(field) };
    case 'forbidden':
      return {
        decides: true,
        check: ({ next, path }) => (isUnset(next, field) ? NONE : [fieldError.forbidden(path, '')]),
      };
    case 'immutable':
      return { decides: true, judgesUnset: true, check: refusesChange };
    case 'update':
      return { decides: true, judgesUnset: true, check: restrictsUpdate(tag.value ?? '', field, keys) };
    case 'ifEnabled':
    case 'ifDisabled':
      return conditional(tag, field, keys);
    case 'subfield':
      return undefined;
    default:
      return limit(tag);
  }
}

function requires(field: Field): ValueRule['check'] {
  // A struct by value is always there.
  if (field.node.kind === 'struct' && !field.pointer) return () => NONE;
  return ({ next, path }) => (isUnset(next, field) ? [fieldError.required(path)] : NONE);
}

/** Unchanged values are not judged at all. */
function refusesChange({ updates, path }: Judged): readonly FieldError[] {
  return updates ? [fieldError.invalid(path, null, IMMUTABLE)] : NONE;
}

function restrictsUpdate(kinds: string, field: Field, keys: readonly string[]): ValueRule['check'] {
  const restricts = new Set(kinds.split(/,\s*/));
  return ({ next, previous, updates, path }) => {
    if (!updates) return NONE;
    const [had, has] = [!isUnset(previous, field), !isUnset(next, field)];
    const refused = (why: string) => [fieldError.invalid(path, null, `field cannot be ${why}`)];
    if (restricts.has('NoSet') && !had && has) return refused('set once created');
    if (restricts.has('NoUnset') && had && !has) return refused('cleared once set');
    if (restricts.has('NoModify') && had && has) return refused('modified once set');
    return restrictsItems(restricts, { next, previous, path }, keys);
  };
}

/** Without keys, an item is itself. */
function restrictsItems(
  restricts: ReadonlySet<string>,
  { next, previous, path }: Pick<Judged, 'next' | 'previous' | 'path'>,
  keys: readonly string[],
): readonly FieldError[] {
  const [now, before] = [identities(next, keys), identities(previous, keys)];
  const [places, known] = [firstPlaces(now), new Set(before)];
  const place = (name: string) => `${path}[${Array.isArray(next) ? places.get(name) : name}]`;
  const added = restricts.has('NoAddItem') ? now.filter((name) => !known.has(name)) : [];
  const removed = restricts.has('NoRemoveItem') ? before.filter((name) => !places.has(name)) : [];
  return [
    ...added.map((name) => fieldError.forbidden(place(name), 'item may not be added')),
    ...removed.map(() => fieldError.forbidden(path, 'item may not be removed')),
  ];
}

/** What identifies the items of a list or the members of a map. */
function identities(value: Json | undefined, keys: readonly string[]): string[] {
  if (!Array.isArray(value)) return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return value.map((item) => {
    const told = keys.length === 0 ? item : keys.map((key) => ownMember(item as JsonObject, key) ?? null);
    return JSON.stringify(told, (_, each) => (typeof each === 'bigint' ? String(each) : each));
  });
}

/** `ifEnabled("Option")=+k8s:rule`: the rule where the option is on. */
function conditional(
  { name, argument = '', inner }: Tag,
  field: Field,
  keys: readonly string[],
): ValueRule | undefined {
  const rule = inner && valueRule(inner, field, keys);
  if (rule === undefined) return undefined;
  const wanted = name === 'ifEnabled';
  return { ...rule, check: (judged) => (judged.scope.isOn(argument) === wanted ? rule.check(judged) : NONE) };
}

/** Rules about what is there. */
function limit({ name, value = '' }: Tag): ValueRule | undefined {
  const bound = Number(value);
  switch (name) {
    case 'minimum':
      return number((next, path) =>
        next < bound ? [fieldError.invalid(path, next, `must be greater than or equal to ${value}`)] : NONE,
      );
    case 'maximum':
      return number((next, path) =>
        next > bound ? [fieldError.invalid(path, next, `must be less than or equal to ${value}`)] : NONE,
      );
    case 'maxLength':
      return text((next, path) => ([...next].length > bound ? [tooLongCharacters(path, bound)] : NONE));
    case 'maxBytes':
      return text((next, path) => (byteLength(next) > bound ? [fieldError.tooLong(path, bound)] : NONE));
    case 'maxItems':
      return {
        decides: true,
        ...items((next, path) => (next.length > bound ? [fieldError.tooMany(path, next.length, bound)] : NONE)),
      };
    case 'enum':
      return text((next, path) => {
        const values = value.split('|');
        return values.includes(next) ? NONE : [fieldError.notSupported(path, next, values)];
      });
    case 'format': {
      const format = FORMATS[value];
      return format === undefined ? undefined : text((next, path) => format(next, path));
    }
    case 'monotonic':
      return number((next, path, previous) =>
        typeof previous === 'number' && next < previous
          ? [fieldError.invalid(path, next, `may not be decreased from ${previous}`)]
          : NONE,
      );
    default:
      return undefined;
  }
}

function tooLongCharacters(field: string, max: number): FieldError {
  return {
    type: 'FieldValueTooLong',
    field,
    detail: `may not be more than ${max} ${max === 1 ? 'character' : 'characters'}`,
  };
}

function text(check: (next: string, path: string) => readonly FieldError[]): ValueRule {
  return { check: ({ next, path }) => (typeof next === 'string' ? check(next, path) : NONE) };
}

function number(
  check: (next: number | bigint, path: string, previous: Json | undefined) => readonly FieldError[],
): ValueRule {
  return {
    check: ({ next, previous, path }) =>
      typeof next === 'number' || typeof next === 'bigint' ? check(next, path, previous) : NONE,
  };
}

function items(check: (next: readonly Json[], path: string) => readonly FieldError[]): ValueRule {
  return { check: ({ next, path }) => (Array.isArray(next) ? check(next, path) : NONE) };
}
