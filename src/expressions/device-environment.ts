// CEL environment of device selectors in resource claims and device classes.

import type { Range } from '../cel/cost/range.ts';
import { BINDINGS } from '../cel/library/bindings.ts';
import { ANY, BOOL, mapOf, STRING, structType, type Type } from '../cel/types/type.ts';
import { type DeclaredType, sizeAt } from './declared-type.ts';
import type { Environments } from './environments.ts';
import { QUANTITY_TYPE } from './quantity.ts';
import { StructTypes } from './struct-types.ts';

/** Maximum lengths of names and values, and number of attributes of a device, as in Kubernetes. */
const DOMAIN_CHARACTERS = 63;
const ID_CHARACTERS = 32;
const VALUE_CHARACTERS = 64;
const MAX_ATTRIBUTES = 32;

const DEVICE_TYPE = structType('kubernetes.DRADevice');
const TEXT = declared(STRING, DOMAIN_CHARACTERS);
const ATTRIBUTES = byName(declared(ANY, VALUE_CHARACTERS));
const CAPACITIES = byName(declared(QUANTITY_TYPE, 0));
const FIELDS = {
  driver: TEXT,
  attributes: ATTRIBUTES,
  capacity: CAPACITIES,
  allowMultipleAllocations: declared(BOOL, 1),
};
const DEVICE = { ...declared(DEVICE_TYPE, 0), fields: new Map(Object.entries(FIELDS)) };

/** Estimated sizes of the parts of a device. */
export const DEVICE_SIZES = {
  size: (path: readonly string[] | undefined): Range | undefined => sizeAt(DEVICE, path),
};

/** The environments of device selectors, based on those of Kubernetes. */
export function deviceEnvironments(environments: Environments, sharesDevices: boolean): Environments {
  const { allowMultipleAllocations, ...always } = FIELDS;
  const fields = sharesDevices ? FIELDS : always;
  const types = new StructTypes({
    [DEVICE_TYPE.name]: Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, type])),
  });
  return {
    for: (expression) =>
      environments
        .for(expression)
        .extend({ libraries: [BINDINGS], variables: [{ name: 'device', type: DEVICE_TYPE }], types }),
  };
}

/** A map by domain of maps by name. */
function byName(value: DeclaredType): DeclaredType {
  const named = mapDeclared(declared(STRING, ID_CHARACTERS), value);
  return mapDeclared(TEXT, named);
}

function mapDeclared(keys: DeclaredType, elements: DeclaredType): DeclaredType {
  return { ...declared(mapOf(STRING, elements.type), MAX_ATTRIBUTES), keys, elements };
}

function declared(type: Type<unknown>, maxSize: number): DeclaredType {
  return { type, maxSize, minBytes: 0, elements: undefined, fields: new Map() };
}
