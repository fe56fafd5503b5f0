// Normaliser of two runs of one conversation, so that they can be compared. What a server makes afresh (uids, times,
// resource versions, continue tokens, generated names, the scenario's namespace) becomes a placeholder; equal values
// keep equal placeholders, so that 'the same version again' and 'a newer version' still show. Table columns'
// descriptions, prose, are left out.

import type { Variables } from './variables.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const age = /^(<invalid>|\d+(s|m|h|d)(\d+(s|m|h))?)$/;

// The same inside messages.
const timeInText = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const uidInText = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const versionInText =
  /(ResourceVersion in (?:precondition|object meta): |ResourceVersion in (?:the precondition|record) \(|resourceVersion"?: ?")(\d+)/g;
const currentVersionInText = /(resource version: \d+(?:, current: | \())\d+/g;

/** Of a generated name's prefix, as much as surely stands in the name. */
const generatedPrefix = 58;
/** Shorter values are not looked for inside texts: they would be found everywhere. */
const shortestInText = 5;

type Kind = 'rv' | 'continue' | 'uid' | 'name';

/** One for each run of a scenario; answers are given to it in the order they came. */
export class Normaliser {
  readonly #variables: Variables;
  readonly #placeholders = new Map<string, string>();
  readonly #counts = new Map<Kind, number>();
  #keepsTimes = false;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** @param keepsTimes times are the client's own and stay as they are */
  answer(value: unknown, keepsTimes = false): Record<string, unknown> {
    this.#keepsTimes = keepsTimes;
    return this.#value(value) as Record<string, unknown>;
  }

  /** @param key the name under which the value stands, if any */
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
