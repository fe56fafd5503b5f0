// Rules about several fields of a struct: unions, modes, and fields that need or exclude each other.

import { fieldError } from '../../api/errors.ts';
import { memberPath } from '../../api/member-path.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Field, StructNode } from '../node.ts';
import { type Judged, NO_ERRORS, type Rule } from './judged.ts';
import { parseTag, type Stability, stableTag, type Tag } from './tags.ts';
import { isUnset, valueRule } from './value-rules.ts';

/** A field with one of its tags. */
interface TaggedField {
  readonly field: Field;
  readonly tag: Tag;
  readonly stability: Stability;
}

/** The tags of a struct's fields by their names; one per line of a field. */
type FieldTags = Readonly<Record<string, readonly string[]>>;

/** The rules of a struct about its fields together. */
export function structRules(type: StructNode, tags: FieldTags): Rule[] {
  const tagged = [...type.jsonFields.values()].flatMap((field) =>
    (ownMember(tags, field.name) ?? []).map((text) => ({ field, ...stableTag(parseTag(text)) })),
  );
  const counted = tagged.filter(({ stability }) => stability !== 'alpha');
  return [...unionRules(counted), ...modeRules(counted), ...dependentRules(type, counted)];
}

const named = (tagged: readonly TaggedField[], name: string) => tagged.filter(({ tag }) => tag.name === name);

function has(object: Json | undefined, field: Field): boolean {
  return !isUnset(memberOf(object, field.name), field);
}

function memberOf(object: Json | undefined, name: string): Json | undefined {
  return ownMember(object as JsonObject | undefined, name);
}

/** Exactly one member of a union may be there. */
function unionRules(tagged: readonly TaggedField[]): Rule[] {
  const unions = Map.groupBy(named(tagged, 'unionMember'), ({ tag }) => tag.argument ?? '');
  return [...unions.values()].map((members): Rule => {
    const all = members.map(({ field }) => `\`${field.name}\``).join(', ');
    const isBeta = members.some(({ stability }) => stability === 'beta');
    return ({ next, previous, updates, path, scope }) => {
      if (isBeta && !scope.beta) return NO_ERRORS;
      const present = members.filter(({ field }) => has(next, field)).map(({ field }) => field.name);
      if (present.length === 1) return NO_ERRORS;
      if (updates && members.every(({ field }) => has(next, field) === has(previous, field))) return NO_ERRORS;
      if (present.length === 0) return [fieldError.invalid(path, '', `must specify one of: ${all}`)];
      return [fieldError.invalid(path, `{${present.join(', ')}}`, `must specify exactly one of: ${all}`)];
    };
  });
}

/** Members that belong to a mode are as their tag says in it, and forbidden in every other. */
function modeRules(tagged: readonly TaggedField[]): Rule[] {
  const [discriminator] = named(tagged, 'modeDiscriminator');
  if (discriminator === undefined) return [];
  const members = Map.groupBy(named(tagged, 'ifMode'), ({ field }) => field);
  // Kubernetes generates these rules in the order of the members' names.
  const sorted = [...members].sort(([one], [other]) => (one.name < other.name ? -1 : 1));
  return sorted.map(([field, modes]): Rule => {
    const forbidden = valueRule(parseTag('forbidden'), field);
    const rules = new Map(modes.map(({ tag }) => [tag.argument, tag.inner && valueRule(tag.inner, field)]));
    const isBeta = modes.some(({ stability }) => stability === 'beta');
    return (judged: Judged) => {
      const { next, previous, updates, path, scope } = judged;
      if (isBeta && !scope.beta) return NO_ERRORS;
      const mode = memberOf(next, discriminator.field.name);
      const value = memberOf(next, field.name);
      const before = memberOf(previous, field.name);
      if (updates && mode === memberOf(previous, discriminator.field.name) && value === before) return NO_ERRORS;
      const rule = rules.has(String(mode ?? '')) ? rules.get(String(mode ?? '')) : forbidden;
      const member = { next: value, previous: before, updates, path: memberPath(path, field.name), scope };
      return rule?.check(member) ?? NO_ERRORS;
    };
  });
}

/** A field that needs another one, or excludes it. */
function dependentRules(type: StructNode, tagged: readonly TaggedField[]): Rule[] {
  return tagged.flatMap(({ field, tag, stability }): Rule[] => {
    const requires = tag.name === 'dependentRequired';
    const other = type.jsonFields.get(tag.argument ?? '');
    if ((!requires && tag.name !== 'dependentForbidden') || other === undefined) return [];
    return [
      ({ next, previous, updates, path, scope }) => {
        if (stability === 'beta' && !scope.beta) return NO_ERRORS;
        const isKept = has(next, field) === has(previous, field) && has(next, other) === has(previous, other);
        if ((updates && isKept) || !has(next, field) || has(next, other) === requires) return NO_ERRORS;
        const place = memberPath(path, other.name);
        return requires
          ? [fieldError.required(place, `must be set when ${field.name} is set`)]
          : [fieldError.forbidden(place, `may not be set when ${field.name} is set`)];
      },
    ];
  });
}
