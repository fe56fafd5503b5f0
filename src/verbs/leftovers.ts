// The part of a stored object that clients do not see: empty bytes, null values in maps of bytes, empty labels and the like
// of a custom object that was applied, and members that are left for readers to default. A write that differs from the stored object only in these is stored nevertheless, so its
// resourceVersion increases. Only writes of this process are known; the information is lost when it ends.

import { isObject } from '../api/is-object.ts';
import type { ApiObject, Json } from '../api/object.ts';
import { JSON_GROUPS } from '../resources/json-groups.ts';
import { keepsStatus } from '../resources/strategy-rules.ts';
import type { ResourceRequest } from './resource-request.ts';

const NONE: readonly string[] = Object.freeze([]);
/** In place of a path: fields are left to readers for defaulting. */
const DEFAULTS = 'defaults';

/** A field of the spec that is left to readers for defaulting. */
interface Undefaulted {
  readonly member: string;
  readonly given: Json;
}

/** Those of one write, and of the object that it changes. */
export class Leftovers {
  readonly #request: ResourceRequest;
  /** Those of the stored object. */
  #standing: readonly string[] = NONE;
  /** Paths in the body; undefined without a body, which changes nothing. */
  #given: string[] | undefined;
  #undefaulted: Undefaulted | undefined;
  /** Whether an apply gives empty metadata. */
  #appliesEmpty = false;

  constructor(request: ResourceRequest) {
    this.#request = request;
  }

  /**
   * Called when the object is decoded again. @returns what decoding fills; undefined for kinds without leftovers in
   * JSON
   */
  decodesAnew(): string[] | undefined {
    if (JSON_GROUPS.includes(this.#request.definition.group)) return undefined;
    this.#undefaulted = undefined;
    this.#given = [];
    return this.#given;
  }

  /** The write leaves a field of the spec to readers for defaulting: it counts as different from all before it. */
  leavesDefaults(undefaulted: Undefaulted): void {
    // A subresource keeps the spec, which was read with its defaults.
    if (this.#request.subresource !== '') return;
    this.#undefaulted = undefaulted;
    this.#given?.push(DEFAULTS);
  }

  /**
   * An apply of a custom object gives these members of its metadata empty: that counts as different from all before it,
   * because readers of the stored object do not find them.
   */
  appliesEmpty(members: readonly string[]): void {
    this.#appliesEmpty = members.length > 0;
    if (this.#appliesEmpty) this.#given = [...(this.#given ?? NONE), ...members.map((member) => `metadata.${member}`)];
  }

  /** The object with the field that is left to readers as it was given: it is validated without defaults. */
  asGiven(object: ApiObject): ApiObject {
    const left = this.#undefaulted;
    if (left === undefined || !isObject(object.spec)) return object;
    return { ...object, spec: { ...object.spec, [left.member]: left.given } };
  }

  /** An attempt starts from an object that was stored with these. */
  begin(standing: readonly string[] | undefined): void {
    this.#standing = standing ?? NONE;
  }

  /** Those of the object as it will be written: what the request cannot change is kept. */
  get written(): readonly string[] {
    if (this.#given === undefined) return this.#standing;
    if (this.#given.length === 0 && this.#standing.length === 0) return NONE;
    const kept = this.#standing.filter((path) => !this.#mayChange(path));
    return [...kept, ...this.#given.filter((path) => this.#mayChange(path))].sort();
  }

  /** Whether the write changes them. */
  get areOther(): boolean {
    if (this.#undefaulted !== undefined || this.#appliesEmpty) return true;
    const { written } = this;
    return written.length !== this.#standing.length || written.some((path, index) => path !== this.#standing[index]);
  }

  #mayChange(path: string): boolean {
    const { subresource, definition } = this.#request;
    // Whatever is written has been read with its defaults.
    if (path === DEFAULTS) return true;
    // Metadata is written as it was read.
    if (definition.codec.storesEmptyMetadata) return true;
    if (subresource === '') return !(keepsStatus(definition.strategy) && path.startsWith('status.'));
    return subresource === 'status' && path.startsWith('status.');
  }
}
