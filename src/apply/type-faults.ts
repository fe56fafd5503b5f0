// What an applied value must be before anybody asks what it claims: each member declared, each value of its type, no
// item named twice. The words are those that clients of Kubernetes know.

import type { Json, JsonObject } from '../api/object.ts';
import { ItemError, itemElement } from './list-items.ts';
import { elementText, fieldElement, type PathElement } from './path-element.ts';
import {
  formOf,
  isMap,
  type ListValueType,
  type MapValueType,
  memberType,
  type ScalarType,
  type ValueType,
} from './value-type.ts';

export interface TypeCheck {
  /** Stored objects may name items twice, applied ones may not. */
  readonly allowDuplicates: boolean;
}

/** All faults as one text; undefined for a value that has none. */
export function typeFaults(type: ValueType, value: Json, check: TypeCheck): string | undefined {
  const walk = new FaultWalk(check.allowDuplicates);
  walk.visit(type, value, '');
  if (walk.faults.length < 2) return walk.faults[0];
  return ['errors:', ...walk.faults.map((fault) => `  ${fault}`)].join('\n');
}

class FaultWalk {
  readonly faults: string[] = [];
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  visit(type: ValueType, value: Json, path: string): void {
    if (value === null) return;
    switch (formOf(type, value)) {
      case 'scalar':
        this.#visitScalar(type.scalar as ScalarType, value, path);
        break;
      case 'list':
        if (Array.isArray(value)) this.#visitList(type.list as ListValueType, value, path);
        else this.#add(path, `expected list, got ${textOf(value)}`);
        break;
      case 'map':
        if (isMap(value)) this.#visitMap(type.map as MapValueType, value, path);
        else this.#add(path, `expected map, got ${textOf(value)}`);
        break;
    }
  }

  #visitScalar(scalar: ScalarType, value: Json, path: string): void {
    if (isScalar(scalar, value)) return;
    this.#add(path, `expected ${SCALAR_WORDS[scalar]}, got ${scalar === 'numeric' ? typeWord(value) : textOf(value)}`);
  }

  #visitList(list: ListValueType, value: readonly Json[], path: string): void {
    const seen = new Set<PathElement>();
    for (const [index, item] of value.entries()) {
      const element = list.atomic ? `i:${index}` : this.#elementOf(list, { item, index, path });
      if (element === undefined) return;
      if (seen.has(element) && !this.#allowDuplicates) {
        this.#add(path, `duplicate entries for key ${elementText(element)}`);
      }
      seen.add(element);
      this.visit(list.items, item, path + elementText(element));
    }
  }

  #elementOf(list: ListValueType, { item, index, path }: { item: Json; index: number; path: string }) {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      this.#add(path, `element ${index}: ${error.message}`);
      return undefined;
    }
  }

  #visitMap(map: MapValueType, value: JsonObject, path: string): void {
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (member === undefined) continue;
      const at = path + elementText(fieldElement(name));
      const type = memberType(map, name);
      if (type === undefined) this.#add(at, 'field not declared in schema');
      else this.visit(type, member, at);
    }
  }

  #add(path: string, message: string): void {
    this.faults.push(path === '' ? message : `${path}: ${message}`);
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
      return typeof value === 'number' || typeof value === 'bigint';
    case 'boolean':
      return typeof value === 'boolean';
    case 'any':
      return typeof value !== 'object';
  }
}

function typeWord(value: Json): string {
  if (Array.isArray(value)) return 'list';
  if (isMap(value)) return 'map';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function textOf(value: Json): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each));
}
