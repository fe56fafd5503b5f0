// Validation of binding conditions of devices, as published by a driver and as allocated to a claim.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { qualifiedNameFaults } from '../../../api/names.ts';
import { firstPlaces } from '../../../base/first-places.ts';
import { faultErrors, validateItems, validateMostItems } from '../../validation/field-rules.ts';

const MAX_BINDING_CONDITIONS = 4;

interface Binding {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

/** Conditions that binding waits for, and those that make it fail. */
export function validateBinding(given: Binding, field: string): FieldError[] {
  const { bindingConditions: awaited = [], bindingFailureConditions: fatal = [] } = given;
  const [here, there] = [`${field}.bindingConditions`, `${field}.bindingFailureConditions`];
  const validateTypes = (types: readonly string[], path: string) => [
    ...validateItems(types, path, (type, each) => faultErrors(qualifiedNameFaults(type), type, each)),
    ...validateMostItems(types, MAX_BINDING_CONDITIONS, path),
  ];
  const repeated = (types: readonly string[], path: string) => {
    const places = firstPlaces(types);
    return (type: string, index: number) =>
      places.get(type) === index ? [] : [fieldError.duplicate(`${path}[${index}]`, type)];
  };
  const isAwaited = new Set(awaited);
  const repeatedFatal = repeated(fatal, there);
  const overlap = 'bindingFailureConditions must not overlap with bindingConditions';
  const found = [
    ...validateTypes(awaited, here),
    ...validateTypes(fatal, there),
    ...awaited.flatMap(repeated(awaited, here)),
    ...fatal.flatMap((type, index) => [
      ...repeatedFatal(type, index),
      ...(isAwaited.has(type) ? [fieldError.invalid(`${there}[${index}]`, type, overlap)] : []),
    ]),
  ];
  if (awaited.length === 0 && fatal.length > 0) {
    const why = 'bindingConditions are required to use bindingFailureConditions';
    found.push(fieldError.invalid(here, given.bindingConditions ?? null, why));
  }
  if (fatal.length === 0 && awaited.length > 0) {
    const why = 'bindingFailureConditions are required to use bindingConditions';
    found.push(fieldError.invalid(there, given.bindingFailureConditions ?? null, why));
  }
  return found;
}
