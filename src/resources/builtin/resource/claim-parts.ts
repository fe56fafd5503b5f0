// Validation common to claim specs and status: references to requests, driver configurations.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { isObject } from '../../../api/is-object.ts';
import { byteLength, labelFaults } from '../../../api/names.ts';
import type { Json } from '../../../api/object.ts';
import { remembering } from '../../../base/resumed.ts';
import { opaqueText } from '../../../schema/opaque-text.ts';
import { faultErrors, validateItems, validateMostItems } from '../../validation/field-rules.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import type { DeviceClaimConfiguration, DeviceClassConfiguration, ResourceClaimSpec } from './v1beta2-objects.ts';

export const MAX_REQUESTS = 32;
const PARAMETERS_BYTES = 10 * 1024;
const NOT_A_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** A list of limited length with unique keys. */
export function validateUniqueItems<T>(
  items: readonly T[],
  rules: {
    readonly field: string;
    readonly most: number;
    /** The value in the error, if that is not a text. */
    readonly told?: (item: T) => Json;
    /** What makes items equal, and the value in the error. */
    readonly key: (item: T) => string;
    /** What makes items equal, if that is more than the key. */
    readonly identity?: (item: T) => string;
    /** The key field; '' if items are their own keys. */
    readonly member: string;
    readonly validate: (item: T, field: string) => FieldError[];
  },
): FieldError[] {
  const { field, most, key, told, identity = key, member, validate } = rules;
  return [
    ...validateItems(items, field, (item, here) => validate(item, here)),
    ...validateMostItems(items, most, field),
    ...remembering(
      () => new Set<string>(),
      (seen) =>
        validateItems(items, field, (item, here) => {
          const text = key(item);
          const repeated = seen.has(identity(item));
          seen.add(identity(item));
          return repeated
            ? [fieldError.duplicate(member === '' ? here : `${here}.${member}`, told?.(item) ?? text)]
            : [];
        }),
    ),
  ];
}

/** The requests of a claim, as they are referenced: `gpu`, and `gpu/large` for a subrequest. */
export function requestNames(spec: ResourceClaimSpec | undefined): Set<string> {
  const names = new Set<string>();
  for (const request of spec?.devices?.requests ?? []) {
    const name = request.name ?? '';
    names.add(name);
    for (const each of request.firstAvailable ?? []) names.add(`${name}/${each.name ?? ''}`);
  }
  return names;
}

/** References to requests. */
export function validateReferences(
  holder: { readonly requests?: readonly string[] },
  field: string,
  names: ReadonlySet<string>,
): FieldError[] {
  return validateUniqueItems(holder.requests ?? [], {
    field: `${field}.requests`,
    most: MAX_REQUESTS,
    key: (name) => name,
    member: '',
    validate: (name, here) => validateReference(name, here, names),
  });
}

export function validateReference(name: string, field: string, names: ReadonlySet<string>): FieldError[] {
  const segments = name.split('/');
  if (segments.length > 2) return [fieldError.invalid(field, name, NOT_A_REQUEST)];
  const found = segments.flatMap((segment) => faultErrors(labelFaults(segment), segment, field));
  return names.has(name) ? found : [...found, fieldError.invalid(field, name, NOT_A_REQUEST)];
}

/** Opaque parameters of a driver. */
export function validateConfiguration(
  configuration: DeviceClaimConfiguration | DeviceClassConfiguration,
  field: string,
): FieldError[] {
  const opaque = configuration.opaque;
  const here = `${field}.opaque`;
  if (opaque === undefined) return [fieldError.required(here)];
  return [
    ...validateDriverName(opaque.driver ?? '', `${here}.driver`),
    ...validateRaw(opaque.parameters, `${here}.parameters`),
  ];
}

/** Whether opaque parameters, which are equal as JSON, have the same texts. */
export function sameParameters(one: readonly Configuration[] = [], other: readonly Configuration[] = []): boolean {
  const textOf = ({ opaque }: Configuration) => opaqueText(opaque?.parameters ?? null);
  return one.every((each, index) => textOf(each) === textOf(other[index] ?? {}));
}

interface Configuration {
  readonly opaque?: { readonly parameters?: Json };
}

/** An object of any form; messages don't quote it. */
export function validateRaw(value: Json | undefined, field: string): FieldError[] {
  if ((value ?? null) === null) return [fieldError.required(field)];
  if (!isObject(value)) return [fieldError.invalid(field, '<value omitted>', 'must be a valid JSON object')];
  return byteLength(opaqueText(value)) > PARAMETERS_BYTES ? [fieldError.tooLong(field, PARAMETERS_BYTES)] : [];
}
