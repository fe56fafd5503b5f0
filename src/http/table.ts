// Table and PartialObjectMetadata, the forms besides its own in which an object can be asked for: columns for people, and
// its metadata alone.

import { errors } from '../api/errors.ts';
import type { ApiObject, JsonObject, ObjectMeta } from '../api/object.ts';
import { ObjectMeta as ObjectMetaType } from '../resources/builtin/meta/v1.ts';
import type { ResourceDefinition, TableColumns } from '../resources/definition.ts';
import { cellAt, DEFAULT_TABLE } from '../resources/table.ts';
import { decodeObject } from '../schema/decode.ts';

/** meta.k8s.io versions in which these forms are served. */
export type MetaVersion = 'v1' | 'v1beta1';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

const INCLUDES: readonly string[] = ['None', 'Metadata', 'Object'];

/** @throws ApiError 400 for another word */
export function includeObject(text: string): IncludeObject {
  if (text === '') return 'Metadata';
  if (INCLUDES.includes(text)) return text as IncludeObject;
  throw errors.badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** An object's metadata as an object of its own. */
export function partialMetadata(object: ApiObject, version: MetaVersion): JsonObject {
  const metadata = declaredMetadata(object.metadata) as JsonObject;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata };
}

/** Metadata as it is shown by itself: without the annotation that only whole objects of a kind have. */
export function metadataAlone(metadata: ObjectMeta, unshown: string | undefined): ObjectMeta {
  if (unshown === undefined || metadata.annotations?.[unshown] === undefined) return metadata;
  const { [unshown]: _, ...others } = metadata.annotations;
  return { ...metadata, annotations: Object.keys(others).length === 0 ? undefined : others };
}

/** Metadata with its members in the order of their declaration, which custom resources store by name. */
export function declaredMetadata(metadata: ObjectMeta): ObjectMeta {
  return decodeObject(ObjectMetaType, metadata).value as ObjectMeta;
}

interface TableForm {
  readonly version: MetaVersion;
  readonly include: IncludeObject;
}

/** A resource, or the columns of objects that belong to none. */
export interface TableSource {
  readonly table?: TableColumns | undefined;
  readonly strategy?: Pick<ResourceDefinition['strategy'], 'unshownAnnotation'>;
}

/** Makes tables of one resource. */
export class TableMaker {
  readonly #columns: TableColumns;
  readonly #form: TableForm;
  readonly #hasOwnColumns: boolean;
  readonly #unshown: string | undefined;

  constructor({ table, strategy }: TableSource, form: TableForm) {
    this.#columns = table ?? DEFAULT_TABLE;
    this.#hasOwnColumns = table !== undefined;
    this.#form = form;
    this.#unshown = strategy?.unshownAnnotation;
  }

  /**
   * @param stored in the storage version, which cells read
   * @param served what the row may carry
   * @param nowMs since the Unix epoch, for ages
   */
  row(stored: ApiObject, served: ApiObject, nowMs: number): JsonObject {
    const { include } = this.#form;
    const cells = this.#columns.cells(stored).map((cell) => cellAt(cell, nowMs));
    const conditions = this.#columns.conditions?.(stored);
    const object = include === 'None' ? null : include === 'Object' ? served : this.#alone(stored);
    return conditions === undefined ? { cells, object } : { cells, conditions, object };
  }

  #alone(stored: ApiObject): JsonObject {
    const metadata = metadataAlone(stored.metadata, this.#unshown);
    return partialMetadata({ ...stored, metadata }, this.#form.version);
  }

  /** @param columns false leaves them out, as watches do after their first event */
  table(rows: JsonObject[], metadata: JsonObject, columns = true): JsonObject {
    return {
      kind: 'Table',
      apiVersion: `meta.k8s.io/${this.#form.version}`,
      metadata,
      columnDefinitions: columns ? (this.#columns.columns as never) : null,
      rows: rows.length === 0 && !this.#hasOwnColumns ? null : rows,
    };
  }
}
