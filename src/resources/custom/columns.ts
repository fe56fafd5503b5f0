// The table of a custom resource: its name, and the columns of its definition. Without columns, or with an invalid
// path, it shows the age.

import { goFloatText } from '../../api/go-number.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { Cell, TableColumn, TableColumns } from '../definition.ts';
import { humanDuration } from '../duration.ts';
import { column, NAME, UNKNOWN } from '../table.ts';
import { numberAt, textAt } from '../value.ts';
import { findValues, type JsonPath, parseJsonPath } from './json-path.ts';

interface PrintedColumn {
  readonly column: TableColumn;
  readonly path: JsonPath;
}

const AGE: JsonObject = Object.freeze({
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'When the object was created, by the clock of the server.',
});

/** The table of a version with these columns. Paths are parsed on first use. */
export function customTable(declared: readonly JsonObject[]): TableColumns {
  let printed: readonly PrintedColumn[] | undefined;
  const all = () => (printed ??= printedColumns(declared.length === 0 ? [AGE] : declared));
  return {
    get columns() {
      return [NAME, ...all().map((each) => each.column)];
    },
    cells: (object) => [object.metadata.name ?? '', ...all().map((each) => cellOf(object, each))],
  };
}

function printedColumns(declared: readonly JsonObject[]): readonly PrintedColumn[] {
  const printed: PrintedColumn[] = [];
  for (const each of declared) {
    const path = parseJsonPath(textAt(each, 'jsonPath'));
    if (path === undefined) return printedColumns([AGE]);
    const description =
      textAt(each, 'description') ||
      `Custom resource definition column (in JSONPath format): ${textAt(each, 'jsonPath')}`;
    const facts = { format: textAt(each, 'format'), priority: numberAt(each, 'priority'), description };
    printed.push({ column: column(textAt(each, 'name'), { type: textAt(each, 'type'), ...facts }), path });
  }
  return printed;
}

function cellOf(object: ApiObject, { column: { type }, path }: PrintedColumn): Cell {
  const value = findValues(object, path)[0];
  if (value === undefined) return null;
  // As formatted by Go templates.
  if (value === null) return type === 'string' ? '<no value>' : null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      if (typeof value === 'bigint') return value;
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    default:
      return typeof value === 'string' ? ageOf(value) : null;
  }
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isInteger(value)) return goFloatText(value);
  return stringifyJson(value);
}

function ageOf(time: string): Cell {
  if (time === '') return UNKNOWN;
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? '<invalid>' : (nowMs) => humanDuration(nowMs - at);
}
