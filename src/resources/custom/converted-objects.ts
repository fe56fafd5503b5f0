// Stored custom resources in a version to which a webhook converts. Results are cached as long as the stored bytes, so
// that all readers and watchers share one conversion.

import { parseJson } from '../../api/json-reader.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import type { Soon } from '../../base/soon.ts';
import { atOnce, type Steps } from '../../base/steps.ts';
import type { StoredBytes, StoredConversion } from '../stored-form.ts';
import type { WebhookConverter } from './webhook-converter.ts';

interface ConvertedObjectsInit {
  readonly converter: WebhookConverter;
  /** The target version: `stable.example.com/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Applies the schema of the stored version to an object. Modifies its argument. */
  readonly reading: (object: ApiObject) => Steps<unknown>;
  /** Prunes an object to this version's schema. Modifies its argument. */
  readonly pruning: (object: ApiObject) => Steps<unknown>;
  /** Selectable fields of an object of this version. */
  readonly selectableFields: (object: ApiObject) => Record<string, string>;
}

/** An object in this version. */
interface MadeObject {
  readonly json: string;
  readonly fields: Record<string, string>;
}

export class ConvertedObjects implements StoredConversion {
  readonly #init: ConvertedObjectsInit;
  /** The beginning of stored objects of this version. */
  readonly #head: Uint8Array;
  readonly #made = new WeakMap<Uint8Array, MadeObject>();
  readonly #making = new WeakMap<Uint8Array, Promise<void>>();

  constructor(init: ConvertedObjectsInit) {
    this.#init = init;
    const names = `"kind":${stringifyJson(init.kind)},"apiVersion":${stringifyJson(init.apiVersion)},`;
    this.#head = new TextEncoder().encode(`{${names}`);
  }

  prepare(stored: Iterable<StoredBytes>): Soon<void> {
    const missing: Uint8Array[] = [];
    const waits: Promise<void>[] = [];
    for (const { bytes } of stored) {
      if (this.#isOwn(bytes) || this.#made.has(bytes)) continue;
      const making = this.#making.get(bytes);
      if (making === undefined) missing.push(bytes);
      else waits.push(making);
    }
    for (const batch of batches(missing)) waits.push(this.#begin(batch));
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => {});
  }

  renew({ bytes }: StoredBytes): Soon<void> {
    return this.#isOwn(bytes) ? undefined : this.#begin([bytes]);
  }

  known(bytes: Uint8Array): string | undefined {
    return this.#madeOf(bytes)?.json;
  }

  fields(bytes: Uint8Array): Record<string, string> | undefined {
    return this.#madeOf(bytes)?.fields;
  }

  #madeOf(bytes: Uint8Array): MadeObject | undefined {
    if (this.#isOwn(bytes)) return undefined;
    const made = this.#made.get(bytes);
    if (made === undefined) throw new Error('a stored object is read that has not been converted');
    return made;
  }

  async convert(object: JsonObject, apiVersion: string): Promise<ApiObject> {
    const [converted] = await this.#init.converter.convert([object], apiVersion);
    return converted as ApiObject;
  }

  #begin(batch: readonly Uint8Array[]): Promise<void> {
    const making = this.#make(batch).finally(() => {
      for (const bytes of batch) this.#making.delete(bytes);
    });
    for (const bytes of batch) this.#making.set(bytes, making);
    return making;
  }

  async #make(batch: readonly Uint8Array[]): Promise<void> {
    const { converter, apiVersion, reading, pruning, selectableFields } = this.#init;
    const objects = batch.map((bytes) => {
      const object = parseJson(bytes) as ApiObject;
      atOnce(reading(object));
      return object;
    });
    const converted = await converter.convert(objects, apiVersion);
    for (const [index, bytes] of batch.entries()) {
      const object = converted[index] as ApiObject;
      atOnce(pruning(object));
      this.#made.set(bytes, { json: stringifyJson(object), fields: selectableFields(object) });
    }
  }

  #isOwn(bytes: Uint8Array): boolean {
    const head = this.#head;
    for (let index = 0; index < head.length; index++) if (bytes[index] !== head[index]) return false;
    return true;
  }
}

/** As many concurrently as one review may contain. */
function* batches(all: readonly Uint8Array[]): Iterable<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let size = 0;
  for (const bytes of all) {
    if (batch.length > 0 && (batch.length === limits.convertedObjects || size + bytes.length > limits.convertedBytes)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(bytes);
    size += bytes.length;
  }
  if (batch.length > 0) yield batch;
}
