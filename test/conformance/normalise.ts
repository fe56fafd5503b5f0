// Normaliser of runs of a conversation, for comparison. Values that the server generates (uids, times, resource
// versions, continue tokens, generated names, the scenario's namespace) become placeholders; equal values get equal
// placeholders, so that 'the same version again' and 'a newer version' are still distinguished. Descriptions of table
// columns are omitted.

import type { Variables } from './variables.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const age = /^(<invalid>|\d+(s|m|h|d)(\d+(s|m|h))?)$/;

// The same within messages.
const timeInText = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const uidInText = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const versionInText =
  /(ResourceVersion in (?:precondition|object meta): |ResourceVersion in (?:the precondition|record) \(|resourceVersion"?: ?")(\d+)/g;
const currentVersionInText = /(resource version: \d+(?:, current: | \())\d+/g;

/** The part of a generateName prefix that the name is sure to contain. */
const generatedPrefix = 58;
/** Shorter values are not replaced within text: they would match everywhere. */
const shortestInText = 5;

type Kind = 'rv' | 'continue' | 'uid' | 'name';

/** One per run of a scenario; responses are passed to it in the order received. */
export class Normaliser {
  readonly #variables: Variables;
  readonly #placeholders = new Map<string, string>();
  readonly #counts = new Map<Kind, number>();
  #keepsTimes = false;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** @param keepsTimes whether times are the client's own and stay unchanged */
  answer(value: unknown, keepsTimes = false): Record<string, unknown> {
    this.#keepsTimes = keepsTimes;
    return this.#value(value) as Record<string, unknown>;
  }

  /** @param key the name of the field, if any */
  #value(value: unknown, key?: string): unknown {
    if (typeof value === 'string') return this.#string(value, key);
    if (Array.isArray(value)) {
      const itemKey = key === 'columnDefinitions' ? key : undefined;
      return value.map((item) => this.#value(item, itemKey));
    }
    if (typeof value === 'object' && value !== null) return this.#map(value as Record<string, unknown>, key);
    return value;
  }

  #map(value: Readonly<Record<string, unknown>>, key: string | undefined): Record<string, unknown> {
    const { generateName, name } = value;
    if (typeof generateName === 'string' && typeof name === 'string') {
      if (name.startsWith(generateName.slice(0, generatedPrefix))) this.#placeholder(name, 'name');
    }
    const out: Record<string, unknown> = {};
    for (const each of Object.keys(value).sort()) {
      if (value[each] === undefined || (each === 'description' && key === 'columnDefinitions')) continue;
      out[this.#text(each)] = this.#value(value[each], each);
    }
    return out;
  }

  #string(value: string, key: string | undefined): string {
    if (key === 'resourceVersion' && value !== '' && value !== '0') return this.#placeholder(value, 'rv');
    if (key === 'continue' && value !== '') return this.#placeholder(value, 'continue');
    if (key === 'uid') return this.#placeholder(value, 'uid');
    if (time.test(value)) return this.#keepsTimes ? value : '<time>';
    if (key === undefined && age.test(value)) return '<age>';
    return this.#text(value);
  }

  #text(value: string): string {
    let out = value
      .replace(currentVersionInText, '$1<rv>')
      .replace(versionInText, (_, words: string, version: string) => words + this.#placeholder(version, 'rv'));
    for (const [found, placeholder] of this.#placeholders) {
      if (found.length >= shortestInText && out.includes(found)) out = out.replaceAll(found, placeholder);
    }
    out = out.replaceAll(String(this.#variables['ns']), '<ns>').replaceAll(String(this.#variables['u']), '<u>');
    out = out.replace(uidInText, (uid) => this.#placeholder(uid, 'uid'));
    return this.#keepsTimes ? out : out.replace(timeInText, '<time>');
  }

  #placeholder(value: string, kind: Kind): string {
    const known = this.#placeholders.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const placeholder = `<${kind}${count}>`;
    this.#placeholders.set(value, placeholder);
    return placeholder;
  }
}
