// Declarative validation rules in type declarations (`declarative`), compiled once per type. On an update, unchanged
// values are not validated, as in Kubernetes.

import { type FieldError, type FieldErrors, fieldError } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import { memberPath } from '../api/member-path.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { NONE } from '../base/findings.ts';
import type { Field, StructNode } from './node.ts';

/** The value to validate, its previous value, and its path. */
interface Judged {
  readonly next: Json | undefined;
  /** Undefined for a create, and if it was absent. */
  readonly previous: Json | undefined;
  readonly updates: boolean;
  readonly path: string;
}

type Rule = (judged: Judged) => FieldErrors;

/** The declarative rules of a type, as a function over an object. */
type DeclaredRules = (next: JsonObject, previous: JsonObject | undefined) => FieldErrors;

const compiled = new WeakMap<StructNode, DeclaredRules>();

/** The rules of a type, without those of types of list items. */
export function declaredRules(type: StructNode): DeclaredRules {
  let rules = compiled.get(type);
  if (rules === undefined) {
    const rule = structRule(type, new Set());
    rules =
      rule === undefined
        ? () => NONE
        : (next, previous) => rule({ next, previous, updates: previous !== undefined, path: '' });
    compiled.set(type, rules);
  }
  return rules;
}

/** @param above the enclosing types: a recursive one has no rules further down */
function structRule(type: StructNode, above: ReadonlySet<StructNode>): Rule | undefined {
  if (above.has(type)) return undefined;
  const inside = new Set([...above, type]);
  const rules = [...type.jsonFields.values()].flatMap((field) => {
    const rule = fieldRule(field, inside);
    return rule === undefined ? [] : [[field.name, rule] as const];
  });
  if (rules.length === 0) return undefined;
  return ({ next, previous, updates, path }) => {
    if (!isObject(next)) return NONE;
    const before = isObject(previous) ? previous : undefined;
    return rules.flatMap(([name, rule]) =>
      rule({
        next: ownMember(next, name),
        previous: ownMember(before, name),
        updates,
        path: memberPath(path, name),
      }),
    );
  };
}

function fieldRule(field: Field, above: ReadonlySet<StructNode>): Rule | undefined {
  const { node, declarative = [] } = field;
  const own = [...valueRules(field), ...unionRules(declarative)];
  const inner = node.kind === 'struct' && node.form === undefined ? structRule(node, above) : undefined;
  if (own.length === 0) return inner;
  return (judged) => {
    const { next, previous, updates } = judged;
    if (updates && (next === previous || equalJson(next ?? null, previous ?? null))) return NONE;
    const found = own.flatMap((rule) => rule(judged));
    return inner === undefined ? found : [...found, ...inner(judged)];
  };
}

function valueRules({ declarative = [], pointer, default: fallback }: Field): Rule[] {
  const tag = declarative.find((each) => each.startsWith('minimum='));
  if (tag === undefined) return [];
  const least = Number(tag.slice('minimum='.length));
  // Defaults have been applied before rules run.
  const required = pointer && fallback !== undefined;
  return [
    ({ next, path }) => {
      if (typeof next !== 'number') return required ? [fieldError.required(path)] : NONE;
      if (next >= least) return NONE;
      return [declared(fieldError.invalid(path, next, `must be greater than or equal to ${least}`), 'minimum')];
    },
  ];
}

/** `item(type: "Approved")=+k8s:zeroOrOneOfMember` */
const MEMBER = /^item\((\w+): "(.*)"\)=\+k8s:zeroOrOneOfMember$/;

/** At most one of these items may be present. */
function unionRules(tags: readonly string[]): Rule[] {
  const members = tags.flatMap((tag) => {
    const [, key, value] = MEMBER.exec(tag) ?? [];
    return key === undefined ? [] : [{ key, value }];
  });
  if (members.length === 0) return [];
  return [
    ({ next, previous, updates, path }) => {
      const name = path.slice(path.lastIndexOf('.') + 1);
      const shown = ({ key, value }: { key: string; value: string | undefined }) =>
        `${name.charAt(0).toUpperCase()}${name.slice(1)}[{${JSON.stringify(key)}: ${JSON.stringify(value)}}]`;
      const has = (list: Json | undefined, { key, value }: { key: string; value: string | undefined }) =>
        Array.isArray(list) && list.some((item) => isObject(item) && ownMember(item, key) === value);
      const present = members.filter((member) => has(next, member));
      if (present.length < 2) return NONE;
      if (updates && members.every((member) => has(next, member) === has(previous, member))) return NONE;
      const why = `must specify at most one of: ${members.map((member) => `\`${shown(member)}\``).join(', ')}`;
      return [declared(fieldError.invalid(path, `{${present.map(shown).join(', ')}}`, why), 'zeroOrOneOf')];
    },
  ];
}

function declared(error: FieldError, origin: string): FieldError {
  return { ...error, origin };
}
