// Table and PartialObjectMetadata, the two transformations of objects: columns for people, and only the metadata.

import { errors } from '../../api/errors.ts';
import type { ApiObject, JsonObject, ObjectMeta } from '../../api/object.ts';
import { atOnce, type Steps } from '../../base/steps.ts';
import { ObjectMeta as ObjectMetaType } from '../../resources/builtin/meta/v1.ts';
import type { TableColumns } from '../../resources/definition.ts';
import { cellAt, DEFAULT_TABLE } from '../../resources/table.ts';
import { decodingObject } from '../../schema/decode.ts';

/** Versions of meta.k8s.io in which they are served. */
export type MetaVersion = 'v1' | 'v1beta1';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

const INCLUDES: readonly string[] = ['None', 'Metadata', 'Object'];

/** @throws ApiError 400 for an invalid value */
export function includeObject(text: string): IncludeObject {
  if (text === '') return 'Metadata';
  if (INCLUDES.includes(text)) return text as IncludeObject;
  throw errors.badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** An object with only the metadata of another. */
export function partialMetadata(object: ApiObject, version: MetaVersion): JsonObject {
  return atOnce(makingPartial(object, version));
}

/** Like partialMetadata, in slices. */
export function* makingPartial(object: ApiObject, version: MetaVersion): Steps<JsonObject> {
  const metadata = (yield* declaringMetadata(object.metadata)) as JsonObject;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata };
}

/** Metadata without the annotation that only complete objects of a kind have. */
export function metadataAlone(metadata: ObjectMeta, unshown: string | undefined): ObjectMeta {
  if (unshown === undefined || metadata.annotations?.[unshown] === undefined) return metadata;
  const { [unshown]: _, ...others } = metadata.annotations;
  return { ...metadata, annotations: Object.keys(others).length === 0 ? undefined : others };
}

/** Metadata in declaration order, which custom resources store alphabetically. */
export function* declaringMetadata(metadata: ObjectMeta): Steps<ObjectMeta> {
  return (yield* decodingObject(ObjectMetaType, metadata)).value as ObjectMeta;
}

interface TableForm {
  readonly version: MetaVersion;
  readonly include: IncludeObject;
}

/** A resource, or the columns of objects without a resource. */
export interface TableSource {
  readonly table?: TableColumns | undefined;
  readonly numberAnnotation?: { readonly name: string } | undefined;
}

/**
 * Builds tables of one resource as values, for every media type, for pretty-printed JSON and for single objects. Lists and
 * watches in compact JSON only take the head of a table from here: their rows come from TableRows, which caches text.
 */
export class TableMaker {
  readonly #columns: TableColumns;
  readonly #form: TableForm;
  readonly #hasOwnColumns: boolean;
  readonly #unshown: string | undefined;

  constructor({ table, numberAnnotation }: TableSource, form: TableForm) {
    this.#columns = table ?? DEFAULT_TABLE;
    this.#hasOwnColumns = table !== undefined && table.emptyRows !== null;
    this.#form = form;
    this.#unshown = numberAnnotation?.name;
  }

  /** Like makingRow, at once. */
  row(stored: ApiObject, served: ApiObject, nowMs: number): JsonObject {
    return atOnce(this.makingRow(stored, served, nowMs));
  }

  /**
   * A row, in slices.
   * @param stored in the storage version, which cells read
   * @param served the object that rows may include
   * @param nowMs since the Unix epoch, for ages
   */
  *makingRow(stored: ApiObject, served: ApiObject, nowMs: number): Steps<JsonObject> {
    const { include } = this.#form;
    const cells = this.#columns.cells(stored).map((cell) => cellAt(cell, nowMs));
    yield;
    const conditions = this.#columns.conditions?.(stored);
    const object = include === 'None' ? null : include === 'Object' ? served : yield* this.#alone(stored);
    return conditions === undefined ? { cells, object } : { cells, conditions, object };
  }

  #alone(stored: ApiObject): Steps<JsonObject> {
    const metadata = metadataAlone(stored.metadata, this.#unshown);
    return makingPartial({ ...stored, metadata }, this.#form.version);
  }

  /** @param columns false omits them, as watches do after their first event */
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
