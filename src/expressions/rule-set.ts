// The rules of a schema, evaluated on an object from the root, each on the value at its place, with a common budget.
// Unchanged values may violate a rule, with a warning.

import type { FieldError } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import { memberPath } from '../api/member-path.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { itemsByKey } from '../schema/structural/list-types.ts';
import type { SchemaPart } from '../schema/structural/schema-part.ts';
import { Correlation } from './correlation.ts';
import { DeclaredTypes } from './declared-type.ts';
import type { Environments } from './environments.ts';
import { type CompiledRule, RuleCompiler } from './rule.ts';
import { type RulePlace, RuleRun } from './rule-run.ts';
import { readerOf, type ValueReader } from './value-reader.ts';

interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** Failures that are ignored because the value is unchanged. */
  readonly warnings: readonly string[];
}

interface RuleOptions {
  /** The path of the value; '' for a whole object. */
  readonly field?: string;
  /** The previous value in an update; undefined for a create. */
  readonly previous?: Json | undefined;
  /** Whether failures for unchanged values are ignored; true by default. */
  readonly ratchets?: boolean;
  /** The minor release of Kubernetes 1 whose values and messages hold; the one served by default if undefined. */
  readonly minor?: number | undefined;
}

/** The rules of a schema and everything below it. Compiled per place, on first use. */
export class RuleSet {
  readonly #part: SchemaPart;
  readonly #isObject: boolean;
  readonly #environments: Environments;
  #rules: readonly CompiledRule[] | 'undeclared' | undefined;
  #read: ValueReader | undefined;
  readonly #members = new Map<string, RuleSet | undefined>();
  #items: RuleSet | undefined;

  /** @param isObject whether the schema is that of a whole object, with kind, apiVersion and a name */
  constructor(part: SchemaPart, isObject: boolean, environments: Environments) {
    this.#part = part;
    this.#isObject = isObject;
    this.#environments = environments;
  }

  /** Runs all rules. */
  validate(value: Json, options: RuleOptions = {}): RuleFindings {
    const { field = '', previous, ratchets = true } = options;
    const run = new RuleRun(options.minor);
    if (this.#part.hasRules) {
      this.#visit(run, {
        value,
        previous,
        field,
        correlation: ratchets ? Correlation.ofRoot(value, previous, this.#part) : undefined,
      });
    }
    return run;
  }

  #visit(run: RuleRun, place: RulePlace): void {
    const { value } = place;
    if (value === null || run.isOver) return;
    if (this.#part.rules.length > 0) this.#runRules(run, place);
    if (run.isOver || typeof value !== 'object') return;
    if (Array.isArray(value)) this.#visitItems(run, place, value);
    else this.#visitMembers(run, place, value);
  }

  #visitItems(run: RuleRun, { previous, field, correlation }: RulePlace, items: readonly Json[]): void {
    const part = this.#part.items;
    if (part?.hasRules !== true) return;
    if (this.#items === undefined) {
      this.#items = new RuleSet(part, part.embedded, this.#environments);
      // A type that is not a list has none for items, but a stored object may have a list there, of an older schema.
      if (!this.#part.types.includes('array')) this.#items.#rules = 'undeclared';
    }
    // Only keyed lists allow correlating items.
    const isKeyed = this.#part.listType === 'map' && Array.isArray(previous);
    const previousItem = isKeyed ? itemsByKey(previous, this.#part) : undefined;
    for (const [index, value] of items.entries()) {
      const old = previousItem?.(value);
      this.#items.#visit(run, {
        value,
        previous: old,
        field: `${field}[${index}]`,
        correlation: correlation?.item(index),
      });
      if (run.isOver) return;
    }
  }

  #visitMembers(run: RuleRun, { previous, field, correlation }: RulePlace, object: JsonObject): void {
    const { properties, additional } = this.#part;
    const old = isObject(previous) ? previous : undefined;
    for (const name of Object.keys(object).sort()) {
      const rules = this.#member(name);
      if (rules === undefined) continue;
      const declared = properties.has(name) || typeof additional !== 'object';
      rules.#visit(run, {
        value: object[name] as Json,
        previous: ownMember(old, name),
        field: declared ? memberPath(field, name) : `${field}[${name}]`,
        correlation: correlation?.member(name),
      });
      if (run.isOver) return;
    }
  }

  /** The rules of a field; undefined if it has none. */
  #member(name: string): RuleSet | undefined {
    const part = this.#part.member(name);
    if (part?.hasRules !== true) return undefined;
    const key = this.#part.properties.has(name) ? name : '*';
    let rules = this.#members.get(key);
    if (rules === undefined) {
      rules = new RuleSet(part, part.embedded, this.#environments);
      this.#members.set(key, rules);
    }
    return rules;
  }

  #compiled(): readonly CompiledRule[] | 'undeclared' {
    if (this.#rules === undefined) {
      const types = new DeclaredTypes(this.#part, this.#isObject);
      const compiler = types.root === undefined ? undefined : new RuleCompiler(types, this.#environments);
      this.#rules =
        compiler === undefined ? 'undeclared' : this.#part.rules.map((rule) => compiler.compile(rule, this.#part));
    }
    return this.#rules;
  }

  #runRules(run: RuleRun, place: RulePlace): void {
    const rules = this.#compiled();
    const type = this.#part.intOrString ? '' : (this.#part.types[0] ?? '');
    if (rules === 'undeclared') {
      run.undeclared(place, type);
      return;
    }
    this.#read ??= readerOf(this.#part, this.#isObject, run.minor);
    run.apply(rules, place, { read: this.#read, type });
  }
}
