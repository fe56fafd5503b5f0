// The schema of one version of a custom resource. It reads documents (what it does not have is pruned, what is missing
// filled in), and finds their faults. Wrong types are not faults of reading: validation reports them. Compiled when
// first used; until then it costs nothing but the way to its source.

import type { FieldError } from '../../api/errors.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { Steps } from '../../base/steps.ts';
import { countKeys } from '../decode-scalar.ts';
import { DecodeState } from '../decode-state.ts';
import type { DocumentOptions, DocumentReading, Field, Node, StructNode } from '../node.ts';
import { fillDefaults } from './defaulting.ts';
import { readEmbedded, readMetadata, validateEmbedded } from './embedded-objects.ts';
import { validateListTypes } from './list-types.ts';
import { prune, pruneNulls } from './pruning.ts';
import { CustomStruct } from './schema-node.ts';
import { SchemaPart } from './schema-part.ts';
import { validateValue } from './validation.ts';

interface CustomSchemaInit {
  /** How the type is named: `stable.example.com/v1.CronTab`. */
  readonly name: string;
  /** The schema as the definition has it. Called when it is needed; what it returns is not changed. */
  readonly source: () => JsonObject;
  /** The type of metadata. */
  readonly objectMeta: StructNode;
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
    const { name, objectMeta } = init;
    this.#struct = new CustomStruct({ name, part: () => this.part, objectMeta, isObject: true });
  }

  get part(): SchemaPart {
    this.#part ??= new SchemaPart(this.#init.source());
    return this.#part;
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

  /** Reads a document that a client sends. @throws DecodeError for metadata that is none, and for too deep a nesting */
  *decoding(document: unknown, { owned, restores }: DocumentOptions): Steps<DocumentReading> {
    const object = (owned ? document : copyJson(document)) as JsonObject;
    const state = new DecodeState(this, { owned: true });
    countKeys(object, state);
    yield;
    const unknown = yield* this.#cleaning(object, restores === true);
    return { value: object, unknown, keys: state.keys, duplicatesFirst: true };
  }

  /**
   * Brings an object that was stored under this schema or an older one under this one. Changes its argument.
   *
   * @returns whether there was anything to change
   */
  readStored(object: JsonObject): boolean {
    const pruned = this.pruneOther(object);
    return fillDefaults(object, this.part) || pruned;
  }

  /** Takes out of an object what the schema does not have. Changes its argument. @returns whether there was anything */
  pruneOther(object: JsonObject): boolean {
    const { part } = this;
    const pruned = prune(object, part, true).length > 0;
    return pruneNulls(object, part) || pruned;
  }

  /** The faults of an object, and where it changes those of its previous state are forgiven as far as they remain. */
  validate(object: JsonObject, previous: JsonObject | undefined): FieldError[] {
    return validateValue(object, this.part, { previous });
  }

  /** The faults of a status that is written alone. */
  validateStatus(status: Json, previous: Json | undefined): FieldError[] {
    const part = this.part.properties.get('status');
    return part === undefined ? [] : validateValue(status, part, { field: 'status', previous });
  }

  /** The faults of objects within the object, and of sets and keyed lists, which an update that finds some may keep. */
  validateContent(object: JsonObject, previous: JsonObject | undefined): FieldError[] {
    const { part } = this;
    const found = validateEmbedded(object, part);
    const forgiven = previous !== undefined && validateListTypes(previous, part).length > 0;
    return forgiven ? found : [...found, ...validateListTypes(object, part)];
  }

  *#cleaning(object: JsonObject, keepsNulls: boolean): Steps<string[]> {
    const { part } = this;
    const { objectMeta } = this.#init;
    const metadata = readMetadata(object['metadata'], objectMeta, 'metadata');
    object['metadata'] = metadata.value;
    yield;
    const unknown = [...metadata.unknown.sort(), ...prune(object, part, true)];
    yield;
    if (!keepsNulls) pruneNulls(object, part);
    yield;
    unknown.push(...readEmbedded(object, part, objectMeta));
    yield;
    fillDefaults(object, part);
    return unknown;
  }
}
