// The standard functions and type names, part of every environment.

import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  NULL,
  parameter,
  STRING,
  TIMESTAMP,
  type Type,
  type TypeProvider,
  typeOf,
  UINT,
} from '../../types/type.ts';
import type { FunctionDeclaration, Library } from '../library.ts';
import { arithmetic } from './arithmetic.ts';
import { comparisons } from './comparisons.ts';
import { containers } from './containers.ts';
import { conversions } from './conversions.ts';
import type { StandardDialect } from './dialect.ts';
import { logic } from './logic.ts';
import { MESSAGES, NULL_VALUE } from './messages.ts';
import { RegexCache } from './regex-cache.ts';
import { strings } from './strings.ts';
import { TimeZones } from './time-zones.ts';
import { times } from './times.ts';

const NAMED_TYPES: readonly Type<unknown>[] = [
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf(parameter('A')),
  mapOf(parameter('A'), parameter('B')),
  NULL,
  STRING,
  TIMESTAMP,
  typeOf(),
  UINT,
];

/** The types that expressions can name, `int`, `list`, `google.protobuf.Timestamp`, and the messages they can make. */
const standardTypes: TypeProvider = {
  struct: (name) => MESSAGES.get(name),
  constant(name) {
    if (name === NULL_VALUE.name) return NULL_VALUE;
    const type = NAMED_TYPES.find((named) => named.name === name);
    return type && { type: typeOf(type), value: type };
  },
};

/**
 * The standard library without its macros, which are in `macros` of the syntax. Each call creates one with its own
 * caches for the regular expressions and time zones that expressions compute.
 */
export function standardLibrary(dialect: StandardDialect = {}): Library {
  const { durationsOfInts = true } = dialect;
  return {
    name: 'standard',
    functions: [
      ...logic,
      ...comparisons,
      ...arithmetic,
      ...containers,
      ...(durationsOfInts ? conversions : conversions.map(withoutIntDuration)),
      ...strings(new RegexCache(), dialect),
      ...times(new TimeZones()),
    ],
    types: standardTypes,
  };
}

function withoutIntDuration(declared: FunctionDeclaration): FunctionDeclaration {
  if (declared.name !== 'duration') return declared;
  return { ...declared, overloads: declared.overloads.filter(({ id }) => id !== 'int64_to_duration') };
}
