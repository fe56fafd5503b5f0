// Removal of managedFields from objects, lists and tables, for policies that omit them. The original is not modified,
// because it is the response.

import { isObject } from '../api/is-object.ts';

export function withoutManagedFields(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { items, rows } = value;
  const own = withoutOwn(value);
  if (Array.isArray(items)) return { ...own, items: items.map(withoutOwn) };
  if (Array.isArray(rows)) return { ...own, rows: rows.map(rowWithout) };
  return own;
}

function rowWithout(row: unknown): unknown {
  return isObject(row) ? { ...row, object: withoutOwn(row['object']) } : row;
}

function withoutOwn<T>(value: T): T {
  if (!isObject(value) || !isObject(value['metadata']) || !('managedFields' in value['metadata'])) return value;
  const { managedFields: _managed, ...metadata } = value['metadata'];
  return { ...value, metadata };
}
