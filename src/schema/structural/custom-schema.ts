// The schema of one version of a custom resource: decodes documents (pruning and defaulting them) and validates them.
// Wrong types are reported by validation, not by decoding. Compiled on first use; until then it only refers to its
// source.

import type { FieldError } from '../../api/errors.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { resumedByParts } from '../../base/resumed.ts';
import { atOnce, type Steps } from '../../base/steps.ts';
import { countingKeys } from '../decode-scalar.ts';
import { DecodeState } from '../decode-state.ts';
import type { DocumentOptions, DocumentReading, Field, Node, StructNode } from '../node.ts';
import { fillingDefaults } from './defaulting.ts';
import { readEmbedded, readingMetadata, TYPE_MEMBERS, validateEmbedded, visitEmbedded } from './embedded-objects.ts';
import { validateListTypes } from './list-types.ts';
import type { CompiledPatterns } from './pattern.ts';
import { pruning, pruningNulls } from './pruning.ts';
import { CustomStruct } from './schema-node.ts';
import { SchemaPart } from './schema-part.ts';
import { isPlainMetadata, validMetadata } from './stored-metadata.ts';
import { validateValue } from './validation.ts';

interface CustomSchemaInit {
  /** The type's name: `stable.example.com/v1.CronTab`. */
  readonly name: string;
  /** Reads the schema in the definition. Called when needed; the result is not modified. */
  readonly source: () => Steps<JsonObject>;
  /** The type of metadata. */
  readonly objectMeta: StructNode;
  /** Whether items of keyed lists must have all keys, as before Kubernetes 1.34. */
  readonly needsAllKeys?: boolean;
}

/** What is known when an object is validated. */
interface Known<T = JsonObject> {
  readonly previous: T | undefined;
  /** Those of the server. */
  readonly patterns?: CompiledPatterns | undefined;
  /** Whether numbers are in the range of their type and format. */
  readonly rangesNumbers?: boolean | undefined;
}

export class CustomSchema implements StructNode {
  readonly kind = 'struct';
  readonly name: string;
  readonly kinds: readonly string[] = [];
  readonly unions = undefined;
  readonly #init: CustomSchemaInit;
  readonly #struct: CustomStruct;
  #part: SchemaPart | undefined;

  constructor(init: CustomSchemaInit) {
    this.name = init.name;
    this.#init = init;
    const { name, objectMeta, needsAllKeys } = init;
    this.#struct = new CustomStruct({ name, part: () => this.part, objectMeta, needsAllKeys, isObject: true });
  }

  get part(): SchemaPart {
    this.#part ??= new SchemaPart(atOnce(this.#init.source()));
    return this.#part;
  }

  /** Reads the source, in steps. */
  *preparing(): Steps<void> {
    if (this.#part !== undefined) return;
    const source = yield* this.#init.source();
    yield;
    this.#part ??= yield* resumedByParts(() => new SchemaPart(source));
  }

  get fields(): readonly Field[] {
    return this.#struct.fields;
  }

  get jsonFields(): ReadonlyMap<string, Field> {
    return this.#struct.jsonFields;
  }

  get mapType(): 'atomic' | 'granular' | undefined {
    return this.#struct.mapType;
  }

  get unknown(): 'drop' | 'keep' | Node {
    return this.#struct.unknown;
  }

  /** Decodes a document from a client. @throws DecodeError for invalid metadata, and for excessive depth */
  *decoding(document: unknown, { owned, restores }: DocumentOptions): Steps<DocumentReading> {
    yield* this.preparing();
    const object = (owned ? document : copyJson(document)) as JsonObject;
    const state = new DecodeState(this, { owned: true });
    yield* countingKeys(object, state);
    yield;
    const unknown = yield* this.#cleaning(object, restores === true);
    return { value: object, unknown, keys: state.keys, duplicatesFirst: true };
  }

  /**
   * Applies this schema to an object that was stored under it or an older one. Modifies its argument.
   *
   * @returns whether anything changed
   */
  *readingStored(object: JsonObject): Steps<boolean> {
    const pruned = yield* this.pruningOther(object);
    const filled = yield* fillingDefaults(object, this.part);
    yield;
    const repaired = this.#repairMetadata(object);
    return repaired || filled || pruned;
  }

  /**
   * Removes invalid metadata, apiVersion and kind from a stored object and those embedded in it; an object of a server
   * that did not count generations gets the first. @returns whether anything changed
   */
  #repairMetadata(object: JsonObject): boolean {
    let changed = this.#cleanMetadata(object);
    const metadata = object['metadata'] as JsonObject;
    if (!metadata['generation']) {
      metadata['generation'] = 1;
      changed = true;
    }
    if (!this.part.hasEmbedded) return changed;
    visitEmbedded(object, { part: this.part, path: '' }, (each) => {
      for (const name of TYPE_MEMBERS) {
        const text = ownMember(each, name);
        if (text === undefined || typeof text === 'string') continue;
        delete each[name];
        changed = true;
      }
      if (each['metadata'] !== undefined && this.#cleanMetadata(each)) changed = true;
    });
    return changed;
  }

  #cleanMetadata(object: JsonObject): boolean {
    if (isPlainMetadata(object['metadata'])) return false;
    object['metadata'] = validMetadata(object['metadata'], this.#init.objectMeta);
    return true;
  }

  /** Prunes an object. Modifies its argument. @returns whether anything changed */
  *pruningOther(object: JsonObject): Steps<boolean> {
    if (this.#part === undefined) yield* this.preparing();
    const { part } = this;
    const pruned = (yield* pruning(object, part, true)).length > 0;
    return (yield* pruningNulls(object, part)) || pruned;
  }

  /** Validation errors of an object; on an update, those of unchanged parts are ignored. */
  validate(object: JsonObject, known: Known): FieldError[] {
    return validateValue(object, this.part, known);
  }

  /** Validation errors of a status that is written alone; null does not change an absent one. */
  validateStatus(status: Json, { previous = null, ...known }: Known<Json>): FieldError[] {
    const part = this.part.properties.get('status');
    return part === undefined ? [] : validateValue(status, part, { ...known, field: 'status', previous });
  }

  /** Errors in embedded objects. */
  validateEmbedded(object: JsonObject): FieldError[] {
    return validateEmbedded(object, this.part, this.#init.objectMeta);
  }

  /** Errors in sets and keyed lists; an update may keep existing ones. */
  validateLists(object: JsonObject, previous: JsonObject | undefined): FieldError[] {
    const { part } = this;
    const forgiven = previous !== undefined && validateListTypes(previous, part).length > 0;
    return forgiven ? [] : validateListTypes(object, part);
  }

  *#cleaning(object: JsonObject, isRestored: boolean): Steps<string[]> {
    const { part } = this;
    const { objectMeta } = this.#init;
    const metadata = yield* readingMetadata(object['metadata'], objectMeta, 'metadata');
    object['metadata'] = metadata.value;
    yield;
    const unknown = [...metadata.unknown.sort(), ...(yield* pruning(object, part, true))];
    yield;
    if (!isRestored) yield* pruningNulls(object, part);
    yield;
    unknown.push(...readEmbedded(object, part, { objectMeta, leavesFaults: isRestored }));
    yield;
    // Defaults may describe metadata of embedded objects.
    if (yield* fillingDefaults(object, part)) readEmbedded(object, part, { objectMeta, leavesFaults: true });
    return unknown;
  }
}
