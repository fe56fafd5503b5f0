// The table of a custom resource: its name, and the columns of its definition, up to the first one with an invalid path.
// Without columns it shows the age.

import { goFloatText } from '../../api/go-number.ts';
import { escapeHtml, stringifyJson } from '../../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { Cell, TableColumn, TableColumns } from '../definition.ts';
import { humanDuration } from '../duration.ts';
import { findValues } from '../json-path/evaluate.ts';
import { jsonPathFault, parseJsonPath } from '../json-path/parse.ts';
import type { Path } from '../json-path/path.ts';
import { column, NAME, UNKNOWN } from '../table.ts';
import { numberAt, textAt } from '../value.ts';

interface PrintedColumn {
  readonly column: TableColumn;
  /** The actions of the path; only the first one is shown. */
  readonly path: readonly Path[];
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
    const jsonPath = textAt(each, 'jsonPath');
    if (jsonPathFault(jsonPath) !== undefined) break;
    const path = parseJsonPath(jsonPath);
    const description =
      textAt(each, 'description') || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
    const facts = { format: textAt(each, 'format'), priority: numberAt(each, 'priority'), description };
    printed.push({ column: column(textAt(each, 'name'), { type: textAt(each, 'type'), ...facts }), path });
  }
  return printed;
}

function cellOf(object: ApiObject, { column: { type }, path }: PrintedColumn): Cell {
  const value = findValues(object, path)?.[0];
  if (value === undefined) return null;
  // As formatted by Go templates.
  if (value === null) return type === 'string' ? '<no value>' : null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      if (typeof value === 'bigint') return value;
      return typeof value === 'number' ? integerOf(value) : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    default:
      return typeof value === 'string' ? ageOf(value) : null;
  }
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isInteger(value)) return goFloatText(value);
  return escapeHtml(stringifyJson(value));
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** A float as the integer to which Go converts it: what does not fit is the smallest one. */
function integerOf(value: number): number | bigint {
  const integer = Math.trunc(value);
  if (Number.isSafeInteger(integer)) return integer;
  const exact = BigInt(integer);
  return exact < MIN_INT64 || exact > MAX_INT64 ? MIN_INT64 : exact;
}

function ageOf(time: string): Cell {
  if (time === '') return UNKNOWN;
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? '<invalid>' : (nowMs) => humanDuration(nowMs - at);
}
