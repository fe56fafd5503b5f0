// Declared validation: an interpreter for the `+k8s:` tags of Kubernetes' types, from 1.36 on. A type is compiled once for
// a table of rules. On an update, values that did not change are not validated; items of lists with keys are compared
// with the item of the same key.

import type { FieldError } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import { memberPath } from '../../api/member-path.ts';
import type { JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Field, Node, StructNode } from '../node.ts';
import { equalValues } from '../opaque-text.ts';
import { descentOf } from './descent.ts';
import { type Judged, NO_ERRORS, type Rule, type RuleScope } from './judged.ts';
import { structRules } from './struct-rules.ts';
import { parseTag, type Stability, stableTag, type Tag } from './tags.ts';
import { isUnset, type ValueRule, valueRule } from './value-rules.ts';

/** The tags of types and fields in one release: by type `apps/v1.DaemonSetSpec`, '' for the type itself, and field. */
export type DeclaredTags = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** A rule and how much it counts. */
interface StableRule {
  readonly stability: Stability;
  readonly rule: ValueRule;
}

/** Compiles types; one for each table, so that a type is compiled once for a release. */
export class DeclaredValidation {
  readonly #tags: DeclaredTags;
  readonly #types = new Map<StructNode, Rule | undefined>();

  constructor(tags: DeclaredTags) {
    this.#tags = tags;
  }

  /** The errors of an object. @param previous undefined for a create */
  validate(
    type: StructNode,
    { next, previous }: { readonly next: JsonObject; readonly previous: JsonObject | undefined },
    scope: RuleScope,
  ): readonly FieldError[] {
    return this.#struct(type)?.({ next, previous, updates: previous !== undefined, path: '', scope }) ?? NO_ERRORS;
  }

  /** The rules of a struct and of everything in it; undefined if there are none. */
  #struct(type: StructNode): Rule | undefined {
    const known = this.#types.get(type);
    if (known !== undefined || this.#types.has(type)) return known;
    // A type that contains itself finds this instead.
    let compiled: Rule | undefined;
    this.#types.set(type, (judged) => compiled?.(judged) ?? NO_ERRORS);
    compiled = this.#compile(type);
    this.#types.set(type, compiled);
    return compiled;
  }

  #compile(type: StructNode): Rule | undefined {
    const own = structRules(type, ownMember(this.#tags, type.name) ?? {});
    const fields = [...type.jsonFields.values()].flatMap((field) => {
      const rule = this.#field(field, tagsOf(type, field, this.#tags));
      return rule === undefined ? [] : [[field.name, rule] as const];
    });
    if (own.length === 0 && fields.length === 0) return undefined;
    return (judged) => {
      const { next, previous, updates, path, scope } = judged;
      if (!isObject(next)) return NO_ERRORS;
      const before = isObject(previous) ? previous : undefined;
      const found = own.flatMap((rule) => rule(judged));
      for (const [name, rule] of fields) {
        const place = memberPath(path, name);
        const member = { next: ownMember(next, name), previous: ownMember(before, name), path: place, scope };
        // What is in a new struct is new, too.
        found.push(...rule({ ...member, updates: updates && before !== undefined }));
      }
      return found;
    };
  }

  #field(field: Field, texts: readonly string[]): Rule | undefined {
    const tags = texts.map((text) => stableTag(parseTag(text)));
    const keys = tags.flatMap(({ tag: { name, value } }) => (name === 'listMapKey' ? (value ?? []) : []));
    const all = tags.flatMap(({ tag, stability }) => {
      const rule = valueRule(tag, field, keys);
      return rule === undefined ? [] : [{ stability, rule }];
    });
    const rules = all.filter(({ stability }) => stability !== 'alpha');
    // Errors of rules in alpha are not told, but what is below is not looked at.
    const untold = all.filter(({ rule, stability }) => stability === 'alpha' && rule.decides);
    // Whether the value may be there is decided first, and ends the matter.
    const first = rules.filter(({ rule }) => rule.decides);
    const others = rules.filter(({ rule }) => !rule.decides);
    const isOpaque = tags.some(({ tag }) => tag.name === 'opaqueType');
    const descent = isOpaque
      ? undefined
      : this.#descent(
          field.node,
          tags.map(({ tag }) => tag),
        );
    if (rules.length === 0 && descent === undefined) return undefined;
    return (judged) => {
      const { next, previous, updates } = judged;
      if (updates && equalValues(field.node, next, previous)) return NO_ERRORS;
      const decided = first.flatMap((each) => apply(each, judged));
      if (decided.length > 0 || untold.some(({ rule }) => rule.check(judged).length > 0)) return decided;
      if (isUnset(next, field) && !others.some(({ rule }) => rule.judgesUnset)) return NO_ERRORS;
      const found = others.flatMap((each) => apply(each, judged));
      if (descent === undefined) return found;
      // A struct without a pointer is always there, even where it is not written.
      const isThere = updates && previous === undefined && field.node.kind === 'struct' && !field.pointer;
      return [...found, ...descent(isThere ? { ...judged, previous: {} } : judged)];
    };
  }

  #descent(node: Node, tags: readonly Tag[]): Rule | undefined {
    return descentOf(node, tags, (type) => this.#struct(type));
  }
}

function apply({ stability, rule }: StableRule, judged: Judged): readonly FieldError[] {
  return stability === 'beta' && !judged.scope.beta ? NO_ERRORS : rule.check(judged);
}

/** The tags of a field; those of a field in an embedded struct stand with that struct. */
function tagsOf(type: StructNode, field: Field, all: DeclaredTags): readonly string[] {
  const own = ownMember(ownMember(all, type.name), field.name);
  if (own !== undefined || type.fields.some(({ name, inline }) => name === field.name && !inline)) return own ?? [];
  const within = type.fields.find(
    ({ inline, node }) => inline && node.kind === 'struct' && node.jsonFields.has(field.name),
  );
  return within?.node.kind === 'struct' ? tagsOf(within.node, field, all) : [];
}
