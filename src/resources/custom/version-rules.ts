// Validation of a version's settings other than its schema: deprecation, subresources, printer columns, selectable
// fields.

import { type FieldError, fieldError } from '../../api/errors.ts';
import type { JsonObject } from '../../api/object.ts';
import { textAt } from '../value.ts';
import { type DefinitionVersion, itemsOf, scaleOf } from './definition-versions.ts';
import { selectableFault, selectablePath } from './selectable-path.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const WARNING_CHARACTERS = 256;
const MAX_SELECTABLE = 8;

export function warningErrors(version: DefinitionVersion, field: string): FieldError[] {
  const warning = version['deprecationWarning'];
  if (typeof warning !== 'string') return [];
  const found: FieldError[] = [];
  const refuse = (why: string) => found.push(fieldError.invalidPointer(field, warning, why));
  if (version['deprecated'] !== true) {
    refuse('can only be set for deprecated versions');
    return found;
  }
  if (warning === '') refuse('must not be an empty string');
  if ([...warning].length > WARNING_CHARACTERS) refuse(`must be <= ${WARNING_CHARACTERS} characters long`);
  const odd = warning.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  if (odd >= 0) {
    const bytes = new TextEncoder().encode(warning.slice(0, odd)).length;
    refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${bytes}`);
  }
  return found;
}

export function subresourceErrors(version: DefinitionVersion, field: string): FieldError[] {
  const scale = scaleOf(version);
  if (scale === undefined) return [];
  const found = [
    ...replicasErrors(scale, 'specReplicasPath', { field: `${field}.scale.specReplicasPath`, under: '.spec' }),
    ...replicasErrors(scale, 'statusReplicasPath', { field: `${field}.scale.statusReplicasPath`, under: '.status' }),
  ];
  const selector = textAt(scale, 'labelSelectorPath');
  if (selector === '') return found;
  const place = `${field}.scale.labelSelectorPath`;
  if (!selector.startsWith('.')) found.push(notSimple(selector, place));
  else if (!selector.startsWith('.spec.') && !selector.startsWith('.status.')) {
    found.push(fieldError.invalid(place, selector, 'should be a json path under either .spec or .status'));
  }
  return found;
}

function replicasErrors(scale: JsonObject, name: string, place: { field: string; under: string }): FieldError[] {
  const path = textAt(scale, name);
  const { field, under } = place;
  if (path === '') return [fieldError.required(field)];
  if (!path.startsWith('.')) return [notSimple(path, field)];
  if (path.startsWith(`${under}.`)) return [];
  return [fieldError.invalid(field, path, `should be a json path under ${under}`)];
}

function notSimple(path: string, field: string): FieldError {
  return fieldError.invalid(field, path, 'must be a simple json path starting with .');
}

export function columnErrors(column: JsonObject, field: string): FieldError[] {
  const found: FieldError[] = [];
  if (textAt(column, 'name') === '') found.push(fieldError.required(`${field}.name`));
  const type = textAt(column, 'type');
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (type === '') found.push(fieldError.required(`${field}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) found.push(fieldError.invalid(`${field}.type`, type, types));
  const format = textAt(column, 'format');
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    found.push(fieldError.invalid(`${field}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  }
  const path = textAt(column, 'jsonPath');
  if (path === '') found.push(fieldError.required(`${field}.JSONPath`));
  else if (!path.startsWith('.')) found.push(notSimple(path, `${field}.JSONPath`));
  return found;
}

/**
 * @param rule.schema the one stated in the same place
 * @param rule.why why selectable fields without a schema are invalid
 */
export function selectableErrors(
  version: DefinitionVersion,
  field: string,
  { schema, why }: { schema: JsonObject | undefined; why: string },
): FieldError[] {
  if (schema === undefined) {
    return itemsOf(version, 'selectableFields').length === 0 ? [] : [fieldError.invalid(field, '', why)];
  }
  const found: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, each] of itemsOf(version, 'selectableFields').entries()) {
    const place = `${field}[${index}].jsonPath`;
    const path = textAt(each, 'jsonPath');
    if (path === '') {
      found.push(fieldError.required(place));
      continue;
    }
    const fault = selectableFault(path, schema);
    if (fault !== undefined) found.push(fieldError.invalid(place, path, fault));
    if (fault?.startsWith('is an invalid path') === true) continue;
    const members = selectablePath(path).join('.');
    if (seen.has(members)) found.push(fieldError.duplicate(place, path));
    seen.add(members);
  }
  if (seen.size > MAX_SELECTABLE) {
    found.push(fieldError.tooMany(field, seen.size, MAX_SELECTABLE));
  }
  return found;
}
