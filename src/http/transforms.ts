// The forms in which an object can be asked for besides its own: a table of columns for people, and its metadata alone.

import { errors } from '../api/errors.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { ResourceDefinition, TableColumn, TableColumns } from '../resources/definition.ts';
import { timestamp } from '../verbs/object-metadata.ts';

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
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}

/** Name and time of creation: the columns of kinds that have none of their own. */
const DEFAULT_COLUMNS: TableColumns = {
  columns: [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'The name of the object, unique among those of its kind in its namespace.',
      priority: 0,
    },
    { name: 'Created At', type: 'date', format: '', description: 'When the object was created.', priority: 0 },
  ],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp ?? timestamp(0)],
};

export interface TableForm {
  readonly version: MetaVersion;
  readonly include: IncludeObject;
  readonly nowMs: number;
}

/** Makes tables of one resource. */
export class TableMaker {
  readonly #columns: TableColumns;
  readonly #form: TableForm;
  readonly #hasOwnColumns: boolean;

  constructor(definition: ResourceDefinition, form: TableForm) {
    this.#columns = definition.table ?? DEFAULT_COLUMNS;
    this.#hasOwnColumns = definition.table !== undefined;
    this.#form = form;
  }

  get columns(): readonly TableColumn[] {
    return this.#columns.columns;
  }

  /** @param stored in the storage version, which cells read; @param served what the row may carry */
  row(stored: ApiObject, served: ApiObject): JsonObject {
    const { version, include } = this.#form;
    const object = include === 'None' ? null : include === 'Object' ? served : partialMetadata(served, version);
    return { cells: this.cells(stored) as never, object };
  }

  /** The cells of a row alone, of an object in the storage version. */
  cells(stored: ApiObject): unknown[] {
    return this.#columns.cells(stored, this.#form.nowMs);
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
