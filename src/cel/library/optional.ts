// Optional values: construction, access and chaining. `.?` and `[?` are evaluated as part of attributes; their
// overloads are declared here too, for other callers.

import type { Expression } from '../syntax/expression.ts';
import { OPERATORS } from '../syntax/operators.ts';
import { BOOL, DYN, INT, listOf, mapOf, opaqueType, optionalOf, parameter, STRING } from '../types/type.ts';
import { ArrayList } from '../value/array-list.ts';
import { Duration } from '../value/duration.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { indexOf } from '../value/lookup.ts';
import { formatValue } from '../value/text.ts';
import { Timestamp } from '../value/timestamp.ts';
import { Double, ListValue, MapValue, Optional, StructValue, Uint, type Value } from '../value/value.ts';
import { bound } from './bindings.ts';
import { ExpressionBuilder, variableName } from './expression-builder.ts';
import { type FunctionDeclaration, type Library, type MacroCall, method, overload } from './library.ts';
import { namedTypes } from './named-types.ts';

const KEY = parameter('K');
const VALUE = parameter('V');
const LIST = listOf(VALUE);
const MAP = mapOf(KEY, VALUE);
const HELD = optionalOf(VALUE);
const NONE = new Optional(undefined);
const UNWRAP_ABOUT = 'The values of the optionals in a list, without empty ones.';

const MAKING: readonly FunctionDeclaration[] = [
  {
    name: 'optional.of',
    overloads: [
      overload('optional_of', [[VALUE], HELD], {
        about: 'An optional with a value.',
        evaluate: (value) => new Optional(value),
      }),
    ],
  },
  {
    name: 'optional.ofNonZeroValue',
    overloads: [
      overload('optional_ofNonZeroValue', [[VALUE], HELD], {
        about: 'An optional with a value, empty if that is null, zero or empty.',
        evaluate: (value) => (isZero(value) ? NONE : new Optional(value)),
      }),
    ],
  },
  {
    name: 'optional.none',
    overloads: [overload('optional_none', [[], HELD], { about: 'An empty optional.', evaluate: () => NONE })],
  },
];

const ASKING: readonly FunctionDeclaration[] = [
  {
    name: 'value',
    overloads: [
      method('optional_value', [[HELD], VALUE], {
        about: 'The value of an optional; an error if it is empty.',
        evaluate: heldBy,
      }),
    ],
  },
  {
    name: 'hasValue',
    overloads: [
      method('optional_hasValue', [[HELD], BOOL], {
        about: 'Whether an optional has a value.',
        evaluate: (optional) => optional.value !== undefined,
      }),
    ],
  },
  {
    name: 'or',
    overloads: [
      method('optional_or_optional', [[HELD, HELD], HELD], {
        about: 'The first of two optionals that has a value.',
        evaluate: (optional, other) => (optional.value === undefined ? other : optional),
      }),
    ],
  },
  {
    name: 'orValue',
    overloads: [
      method('optional_orValue_value', [[HELD, VALUE], VALUE], {
        about: 'The value of an optional, or the other value if it is empty.',
        evaluate: (optional, other) => (optional.value === undefined ? other : optional.value),
      }),
    ],
  },
];

const SELECTING: readonly FunctionDeclaration[] = [
  {
    name: OPERATORS.optionalSelect,
    overloads: [overload('select_optional_field', [[DYN, STRING], HELD], { evaluate: find })],
  },
  {
    name: OPERATORS.optionalIndex,
    overloads: [
      overload('list_optindex_optional_int', [[LIST, INT], HELD], { evaluate: find }),
      overload('optional_list_optindex_optional_int', [[optionalOf(LIST), INT], HELD], { evaluate: find }),
      overload('map_optindex_optional_value', [[MAP, KEY], HELD], { evaluate: find }),
      overload('optional_map_optindex_optional_value', [[optionalOf(MAP), KEY], HELD], { evaluate: find }),
    ],
  },
  {
    name: OPERATORS.index,
    overloads: [
      overload('optional_list_index_int', [[optionalOf(LIST), INT], HELD], { evaluate: find }),
      overload('optional_map_index_value', [[optionalOf(MAP), KEY], HELD], { evaluate: find }),
    ],
  },
];

const LISTING: readonly FunctionDeclaration[] = [
  {
    name: 'last',
    overloads: [
      method('list_last', [[LIST], HELD], {
        about: 'The optional last item of a list.',
        evaluate: (list) => (list.size === 0 ? NONE : new Optional(list.at(list.size - 1))),
      }),
    ],
  },
  {
    name: 'first',
    overloads: [
      method('list_first', [[LIST], HELD], {
        about: 'The optional first item of a list.',
        evaluate: (list) => (list.size === 0 ? NONE : new Optional(list.at(0))),
      }),
    ],
  },
  {
    name: 'optional.unwrap',
    overloads: [overload('optional_unwrap', [[listOf(HELD)], LIST], { about: UNWRAP_ABOUT, evaluate: unwrap })],
  },
  {
    name: 'unwrapOpt',
    overloads: [method('optional_unwrapOpt', [[listOf(HELD)], LIST], { about: UNWRAP_ABOUT, evaluate: unwrap })],
  },
];

export const OPTIONAL: Library = Object.freeze({
  name: 'optional',
  types: namedTypes(opaqueType('optional_type')),
  macros: [
    { name: 'optMap', method: true, arguments: 2, expand: optMap },
    { name: 'optFlatMap', method: true, arguments: 2, expand: optFlatMap },
  ],
  functions: [...MAKING, ...ASKING, ...SELECTING, ...LISTING],
});

function heldBy(optional: Optional): Value {
  if (optional.value === undefined) {
    throw new EvaluationError('optional.none() dereference');
  }
  return optional.value;
}

function find(object: Value, key: Value): Optional {
  const held = object instanceof Optional ? object.value : object;
  const value = held === undefined ? undefined : itemOf(held, key);
  return value === undefined ? NONE : new Optional(value);
}

function itemOf(object: Value, key: Value): Value | undefined {
  if (object instanceof MapValue) {
    return object.get(key);
  }
  if (object instanceof StructValue) {
    return typeof key === 'string' ? object.get(key) : undefined;
  }
  if (!(object instanceof ListValue)) {
    return undefined;
  }
  const index = indexOf(key);
  return index >= 0 && index < object.size ? object.at(index) : undefined;
}

/** 0001-01-01T00:00:00Z, where Go's time begins. */
const FIRST_SECOND = -62_135_596_800;

/** Whether a value is the zero value of its type: false, zero, empty, the zero time. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') {
    return true;
  }
  if (value instanceof Uint || value instanceof Double) {
    return Number(value.value) === 0;
  }
  if (value instanceof Timestamp || value instanceof Duration) {
    return value.seconds === (value instanceof Timestamp ? FIRST_SECOND : 0) && value.nanos === 0;
  }
  if (value instanceof Uint8Array) {
    return value.length === 0;
  }
  return (value instanceof ListValue || value instanceof MapValue) && value.size === 0;
}

function unwrap(list: ListValue): ListValue {
  const values: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    if (!(item instanceof Optional)) {
      throw new EvaluationError(`value ${formatValue(item)} is not optional`);
    }
    if (item.value !== undefined) {
      values.push(item.value);
    }
  }
  return new ArrayList(values);
}

/** `optional.optMap(name, expression)`: an optional of the expression, with the name bound to the optional's value. */
function optMap(macro: MacroCall): Expression {
  return mapped(macro, 'optMap', (build, expression) => build.call('optional.of', expression));
}

/** The same for an expression that is an optional itself. */
function optFlatMap(macro: MacroCall): Expression {
  return mapped(macro, 'optFlatMap', (_build, expression) => expression);
}

function mapped(
  macro: MacroCall,
  macroName: string,
  wrap: (build: ExpressionBuilder, expression: Expression) => Expression,
): Expression {
  const target = macro.target as Expression;
  const [first, expression] = macro.arguments as [Expression, Expression];
  const name = variableName(macro, first, `${macroName}() variable name must be a simple identifier`);
  const build = new ExpressionBuilder(macro);
  const value = (): Expression => build.method(macro.copy(target), 'value');
  return build.call(
    OPERATORS.conditional,
    build.method(target, 'hasValue'),
    wrap(build, bound(build, { name, value, expression })),
    build.call('optional.none'),
  );
}
