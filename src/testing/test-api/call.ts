// A request to the test interface, and what an operation answers.

import type { JsonObject } from '../../api/object.ts';
import type { TestServer } from '../test-server.ts';
import type { HandedOut } from './handed-out.ts';
import { Refusal } from './refusal.ts';

/** A request whose body was parsed. */
export interface Call {
  readonly server: TestServer;
  readonly handedOut: HandedOut;
  /** The last segment of the path, of operations on one thing. */
  readonly id: string;
  readonly body: JsonObject;
  readonly query: URLSearchParams;
}

/** An answer: members, and after them the members of a list, which may be long. */
export interface Answer {
  readonly status?: number;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly list?: { readonly name: string; readonly items: readonly unknown[] };
}

/** @throws Refusal unless the member is a text that is not empty */
export function textOf(from: JsonObject, name: string): string {
  const value = from[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal(400, `${name} must be a string that is not empty`);
}

/** @throws Refusal unless the member is one of these, or has this type; undefined if it is absent */
export function optional(from: JsonObject, name: string, type: 'string'): string | undefined;
export function optional(from: JsonObject, name: string, type: 'number'): number | undefined;
export function optional(from: JsonObject, name: string, type: 'boolean'): boolean | undefined;
export function optional(from: JsonObject, name: string, type: string): unknown {
  const value = from[name];
  if (value === undefined || typeof value === type) return value;
  throw new Refusal(400, `${name} must be a ${type}`);
}

/** @throws Refusal for members that an operation does not know: they would have no effect */
export function onlyMembers(from: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(from).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const instead = known.length === 0 ? 'nothing is expected' : `there are ${known.join(', ')}`;
  throw new Refusal(400, `there is no ${unknown.join(', no ')}; ${instead}`);
}
