// A type with every kind of field that ownership distinguishes, and an object of it that several managers write in
// turn. For tests.

import type { Json, JsonObject } from '../src/api/object.ts';
import { type Apply, applyConfiguration } from '../src/apply/apply.ts';
import type { Manager } from '../src/apply/managers.ts';
import type { TypedObject } from '../src/apply/typed-object.ts';
import { managersAfterUpdate } from '../src/apply/update.ts';
import { type ValueType, valueTypeOf } from '../src/apply/value-type.ts';
import { bool, int32, json, list, map, pointer, quantity, string, struct } from '../src/schema/build.ts';

const Metadata = struct('test.Metadata', () => ({
  name: string(1),
  uid: string(2),
  labels: map(3, 'string'),
  annotations: map(4, 'string'),
  finalizers: list(5, 'string').set(),
}));

const Port = struct('test.Port', () => ({
  port: int32(1).required(),
  protocol: string(2).default('TCP'),
  name: string(3),
}));

const Whole = struct('test.Whole', () => ({ a: string(1), b: string(2) }), { mapType: 'atomic' });

const Item = struct('test.Item', () => ({
  name: string(1).required(),
  size: int32(2),
  tags: list(3, 'string').set(),
}));

const Spec = struct('test.Spec', () => ({
  replicas: int32(1).pointer(),
  paused: bool(2),
  amount: quantity(3),
  items: list(4, Item).keyed('name'),
  ports: list(5, Port).keyed('port', 'protocol'),
  tags: list(6, 'string').set(),
  steps: list(7, 'string').atomic(),
  plain: list(8, 'string'),
  free: map(9, 'string'),
  block: map(10, 'string').atomic(),
  whole: pointer(11, Whole),
  deep: json(12),
}));

const Widget = struct('test.Widget', () => ({
  apiVersion: string(0),
  kind: string(0),
  metadata: pointer(1, Metadata),
  spec: pointer(2, Spec),
  status: json(3),
}));

export const WIDGET: ValueType = valueTypeOf(Widget);

/** The type of a widget's spec. */
export const SPEC: ValueType = valueTypeOf(Spec);

export function widget(value: JsonObject): TypedObject {
  return { apiVersion: 'v1', type: WIDGET, value };
}

/** A widget on a server without a store: its current value and its managers. */
export class SharedWidget {
  value: JsonObject;
  managers: readonly Manager[] = [];
  #hour = 0;

  constructor(value: JsonObject = {}) {
    this.value = value;
    if (Object.keys(value).length > 0) this.#track('creator', {}, value);
  }

  /** @throws ConflictError */
  apply(name: string, applied: JsonObject, { force = false } = {}): void {
    const apply: Apply = {
      live: widget(this.value),
      empty: widget({}),
      applied,
      by: { name, subresource: '' },
      force,
      convert: () => undefined,
      ignored: undefined,
      now: this.#now(),
    };
    const { object, managers } = applyConfiguration(apply, this.managers);
    this.value = object ?? this.value;
    this.managers = managers;
  }

  update(name: string, next: JsonObject): void {
    this.#track(name, this.value, next);
    this.value = next;
  }

  /** What a manager owns by one operation, as FieldsV1. */
  fieldsOf(name: string, operation: Manager['operation'] = 'Apply'): Json | undefined {
    const found = this.managers.find((each) => each.name === name && each.operation === operation);
    return found?.fields as unknown as Json | undefined;
  }

  #track(name: string, live: JsonObject, next: JsonObject): void {
    const by = { name, subresource: '' };
    const change = { live: widget(live), next: widget(next), convert: () => undefined, ignored: undefined };
    this.managers = managersAfterUpdate({ ...change, by, now: this.#now() }, this.managers);
  }

  #now(): string {
    return `2026-01-01T${String(this.#hour++ % 24).padStart(2, '0')}:00:00Z`;
  }
}
