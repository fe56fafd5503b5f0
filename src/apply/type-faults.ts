// Type checks of an applied configuration: declared fields, values of the right types, no duplicate list items. The
// messages are Kubernetes'.

import { goSyntax, goText } from '../api/go-text.ts';
import { isNumber, isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { NONE } from '../base/findings.ts';
import { eachOf, hasParts, overItems, part } from '../base/resumed.ts';
import { ShapeMemory } from './field-shape.ts';
import { ItemError, itemElement } from './list-items.ts';
import { elementText, type PathElement } from './path-element.ts';
import {
  formOf,
  type ListValueType,
  type MapValueType,
  memberType,
  type ScalarType,
  type ValueType,
} from './value-type.ts';

interface TypeCheck {
  /** Stored objects may have duplicate items, applied ones may not. */
  readonly allowDuplicates: boolean;
}

/** All errors as one text; undefined if there are none. */
export function typeFaults(type: ValueType, value: Json, check: TypeCheck): string | undefined {
  const walk = new FaultWalk(check.allowDuplicates);
  walk.visit(type, value);
  if (walk.faults.length < 2) return walk.faults[0];
  return ['errors:', ...walk.faults.map((fault) => `  ${fault}`)].join('\n');
}

/** Shapes of valid applied values, by type: only a cache. */
const faultless = new WeakMap<ValueType, ShapeMemory<true>>();

/** All errors in an applied value, including duplicate items. A value with the shape of a valid one is not checked. */
export function appliedFaults(type: ValueType, value: Json): string | undefined {
  let memory = faultless.get(type);
  if (memory === undefined) {
    memory = new ShapeMemory(type, { insideWholes: true });
    faultless.set(type, memory);
  }
  if (memory.find(value) === true) return undefined;
  const faults = typeFaults(type, value, { allowDuplicates: false });
  if (faults === undefined) memory.keep(value, true);
  return faults;
}

/**
 * Whether an object does not match its type at all: kube-apiserver then ignores all ownership.
 * @param isLong whether it is too large for the shape cache
 */
export function isMistyped(type: ValueType, value: Json, isLong = false): boolean {
  if (isLong) return typeFaults(type, value, { allowDuplicates: true }) !== undefined;
  return appliedFaults(type, value) !== undefined && typeFaults(type, value, { allowDuplicates: true }) !== undefined;
}

/** A step of the walk: a field name, an index, or the element of an item that has one. */
type Step = string | number | { readonly item: PathElement };

function stepText(step: Step): string {
  if (typeof step === 'string') return `.${step}`;
  return elementText(typeof step === 'number' ? `i:${step}` : step.item);
}

class FaultWalk {
  readonly faults: string[] = [];
  readonly #allowDuplicates: boolean;
  readonly #path: Step[] = [];

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  visit(type: ValueType, value: Json): void {
    if (value === null) return;
    switch (formOf(type, value)) {
      case 'scalar':
        this.#visitScalar(type.scalar as ScalarType, value);
        break;
      case 'list':
        if (Array.isArray(value)) this.#visitList(type.list as ListValueType, value);
        else this.#add(`expected list, got ${textOf(value)}`);
        break;
      case 'map':
        if (isObject(value) && !(value instanceof UnfitScalar)) this.#visitMap(type.map as MapValueType, value);
        else this.#add(`expected map, got ${textOf(value)}`);
        break;
    }
  }

  #visitScalar(scalar: ScalarType, value: Json): void {
    if (isScalar(scalar, value)) return;
    this.#add(`expected ${SCALAR_WORDS[scalar]}, got ${foundText(scalar, value)}`);
  }

  #visitList(list: ListValueType, value: readonly Json[]): void {
    if (list.atomic) {
      this.#each(value, (item, index) => this.#visitBelow(index, list.items, item));
      return;
    }
    if (hasParts()) {
      this.#visitItemsInParts(list, value);
      return;
    }
    const seen = new Set<PathElement>();
    for (const [index, item] of value.entries()) {
      const element = this.#elementOf(list, item, index);
      if (element === undefined) return;
      if (seen.has(element) && !this.#allowDuplicates) {
        this.#add(`duplicate entries for key ${elementText(element)}`);
      }
      seen.add(element);
      this.#visitBelow({ item: element }, list.items, item);
    }
  }

  #visitItemsInParts(list: ListValueType, value: readonly Json[]): void {
    const elements = eachOf(value, (item) => this.#faultless(list, item));
    const end = elements.indexOf(undefined);
    const seen = new Set<PathElement>();
    const repeated = elements.map((element) => seen.size === seen.add(element as PathElement).size);
    this.#each(end < 0 ? value : value.slice(0, end), (item, index) => {
      const element = elements[index] as PathElement;
      if (repeated[index] === true && !this.#allowDuplicates) {
        this.#add(`duplicate entries for key ${elementText(element)}`);
      }
      this.#visitBelow({ item: element }, list.items, item);
    });
    if (end >= 0) this.#elementOf(list, value[end] as Json, end);
  }

  #faultless(list: ListValueType, item: Json): PathElement | undefined {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      return undefined;
    }
  }

  /** Visits items; what is found in those of one part is kept with it. */
  #each<Item>(items: readonly Item[], visit: (item: Item, index: number) => void): void {
    const { faults } = this;
    const found = overItems(items, (item, index) => {
      const before = faults.length;
      visit(item, index);
      return faults.splice(before);
    });
    for (const fault of found) faults.push(fault);
  }

  #elementOf(list: ListValueType, item: Json, index: number): PathElement | undefined {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      this.#add(`element ${index}: ${error.message}`);
      return undefined;
    }
  }

  #visitMap(map: MapValueType, value: JsonObject): void {
    // Kubernetes walks fields in random order and stops at the first undeclared one: it never reports two.
    let isTold = false;
    if (hasParts()) {
      const names = part(() => Object.keys(value));
      const isUndeclared = (name: string) =>
        ownMember(value, name) !== undefined && memberType(map, name) === undefined;
      const [undeclared] = overItems(names, (name, index) => (isUndeclared(name) ? [index] : NONE));
      this.#each(names, (name, index) => {
        const type = memberType(map, name);
        const member = ownMember(value, name);
        if (index === undeclared) this.#add('field not declared in schema', name);
        else if (type !== undefined && member !== undefined) this.#visitBelow(name, type, member);
      });
      return;
    }
    for (const name in value) {
      const member = value[name];
      if (member === undefined) continue;
      const type = memberType(map, name);
      if (type !== undefined) this.#visitBelow(name, type, member);
      else if (!isTold) this.#add('field not declared in schema', name);
      isTold ||= type === undefined;
    }
  }

  #visitBelow(step: Step, type: ValueType, value: Json): void {
    this.#path.push(step);
    this.visit(type, value);
    this.#path.pop();
  }

  #add(message: string, ...below: Step[]): void {
    const path = [...this.#path, ...below].map(stepText);
    this.faults.push(path.length === 0 ? message : `${path.join('')}: ${message}`);
  }
}

/** A value in messages: its type, `uint64`, and two of Go's formats. */
interface UnfitTexts {
  readonly word: string;
  readonly text: string;
  readonly syntax: string;
}

/** A scalar that no field accepts, such as an unsigned number from an expression. */
export class UnfitScalar {
  readonly texts: UnfitTexts;

  constructor(texts: UnfitTexts) {
    this.texts = texts;
  }
}

const SCALAR_WORDS: Readonly<Record<ScalarType, string>> = {
  string: 'string',
  numeric: 'numeric (int or float)',
  boolean: 'boolean',
  any: 'any scalar',
};

function isScalar(scalar: ScalarType, value: Json): boolean {
  switch (scalar) {
    case 'string':
      return typeof value === 'string';
    case 'numeric':
      return isNumber(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'any':
      return typeof value !== 'object';
  }
}

/** Kubernetes prints its own wrapper of the value. */
function textOf(value: Json): string {
  return `&{${value instanceof UnfitScalar ? value.texts.text : goText(value)}}`;
}

function foundText(scalar: ScalarType, value: Json): string {
  if (scalar === 'string') {
    const syntax = value instanceof UnfitScalar ? value.texts.syntax : goSyntax(value);
    return `&value.valueUnstructured{Value:${syntax}}`;
  }
  return scalar === 'numeric' ? typeWord(value) : textOf(value);
}

function typeWord(value: Json): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (value instanceof UnfitScalar) return value.texts.word;
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
