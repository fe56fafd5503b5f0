// cel-go's strings library, version 2, with Kubernetes' costs.

import { add, exactly, multiply, type Range, scale, UNBOUNDED, UNKNOWN_SIZE } from '../cost/range.ts';
import { INT, listOf, STRING } from '../types/type.ts';
import { ArrayList } from '../value/array-list.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { sizeOf } from '../value/size.ts';
import { formatValue } from '../value/text.ts';
import type { ListValue } from '../value/value.ts';
import { perCharacter, SAME_LENGTH, TRAVERSAL, WALK } from './call-cost.ts';
import {
  type CallEstimate,
  type FunctionDeclaration,
  type Library,
  method,
  type Operand,
  overload,
} from './library.ts';
import { FORMAT } from './string-format.ts';
import * as text from './text-functions.ts';

const STRINGS_LIST = listOf(STRING);

const SEARCH_COSTS = {
  pricesErrors: true,
  cost: WALK,
  estimate: (searched: Operand) => ({ cost: scale(searched.size, TRAVERSAL) }),
};

/** The call walks the string and makes another. */
const REWRITE_COSTS = { ...perCharacter(2), estimate: replaceEstimate };
const SPLIT_COSTS = { ...perCharacter(2), estimate: splitEstimate };
const JOIN_COSTS = {
  cost: (joined: string) => Math.ceil(sizeOf(joined) * 2 * TRAVERSAL),
  estimate: joinEstimate,
};

function replaceEstimate(searched: Operand, old?: Operand, replacement?: Operand): CallEstimate {
  const { size } = searched;
  const from = old?.size ?? UNKNOWN_SIZE;
  const to = replacement?.size ?? UNKNOWN_SIZE;
  // If replacing cannot make it longer (or shorter), the unchanged string is the extreme.
  const most = to.max <= from.min && from.min > 0 ? size.max : replacedSize(size.max, from.min, to.max);
  const least = from.max <= to.min && from.max > 0 ? size.min : replacedSize(size.min, from.max, to.min);
  return { cost: scale(size, 2 * TRAVERSAL), resultSize: { min: least, max: most } };
}

/** How long a string is of which nothing is left but replacements; the empty part leaves all of it. */
function replacedSize(size: number, part: number, replacement: number): number {
  const saturated = (amount: number) => Math.min(amount, UNBOUNDED);
  if (part === 0) return saturated(saturated(size + 1) * replacement + size);
  return saturated(Math.ceil(size / part) * replacement);
}

function splitEstimate(searched: Operand, _separator?: Operand, limit?: Operand): CallEstimate {
  const count = limit?.literal?.type === 'int' ? Number(limit.literal.value) : undefined;
  const most = count === undefined ? searched.size.max : count < 0 ? UNBOUNDED : count;
  return { cost: scale(searched.size, 2 * TRAVERSAL), resultSize: { min: 0, max: most } };
}

/** All characters escaped and two quotes; overflow of 64 bits wraps around, as in cel-go. */
function quotedSize(size: Range): Range {
  return { min: size.min + 2, max: size.max >= UNBOUNDED / 2 ? 0 : size.max * 2 + 2 };
}

function joinEstimate(list: Operand, separator?: Operand): CallEstimate {
  const items = list.items === undefined ? exactly(0) : multiply(list.size, list.items.size);
  const gaps: Range = { min: Math.max(list.size.min - 1, 0), max: Math.max(list.size.max - 1, 0) };
  const size = separator === undefined ? items : add(items, multiply(separator.size, gaps));
  return { cost: scale(size, TRAVERSAL), resultSize: size };
}

function join(list: ListValue, separator: string): string {
  let joined = '';
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    if (typeof item !== 'string') throw new EvaluationError(`join: invalid input: ${formatValue(item)}`);
    joined += index === 0 ? item : separator + item;
  }
  return joined;
}

const POSITIONS: readonly FunctionDeclaration[] = [
  {
    name: 'charAt',
    overloads: [
      method('string_char_at_int', [[STRING, INT], STRING], {
        about: 'The character at an index from 0; the empty string after the last; an error beyond.',
        evaluate: text.charAt,
      }),
    ],
  },
  {
    name: 'indexOf',
    overloads: [
      method('string_index_of_string', [[STRING, STRING], INT], {
        about: 'The index of the first occurrence of a substring, or -1.',
        evaluate: (searched, part) => text.indexOf(searched, part, 0),
        ...SEARCH_COSTS,
      }),
      method('string_index_of_string_int', [[STRING, STRING, INT], INT], {
        about: 'The index of the first occurrence of a substring at or after an index, or -1.',
        evaluate: text.indexOf,
        ...SEARCH_COSTS,
      }),
    ],
  },
  {
    name: 'lastIndexOf',
    overloads: [
      method('string_last_index_of_string', [[STRING, STRING], INT], {
        about: 'The index of the last occurrence of a substring, or -1.',
        evaluate: text.lastIndexOf,
        ...SEARCH_COSTS,
      }),
      method('string_last_index_of_string_int', [[STRING, STRING, INT], INT], {
        about: 'The index of the last occurrence of a substring at or before an index, or -1.',
        evaluate: text.lastIndexFrom,
        ...SEARCH_COSTS,
      }),
    ],
  },
  {
    name: 'substring',
    overloads: [
      method('string_substring_int', [[STRING, INT], STRING], {
        about: 'The characters from an index on.',
        evaluate: text.substring,
        ...SAME_LENGTH,
      }),
      method('string_substring_int_int', [[STRING, INT, INT], STRING], {
        about: 'The characters from an index up to another, exclusive.',
        evaluate: text.substringBetween,
        ...SAME_LENGTH,
      }),
    ],
  },
];

const REWRITES: readonly FunctionDeclaration[] = [
  {
    name: 'lowerAscii',
    overloads: [
      method('string_lower_ascii', [[STRING], STRING], {
        about: 'The string with A to Z in lower case, nothing else changed.',
        evaluate: text.lowerAscii,
        ...SAME_LENGTH,
      }),
    ],
  },
  {
    name: 'upperAscii',
    overloads: [
      method('string_upper_ascii', [[STRING], STRING], {
        about: 'The string with a to z in upper case, nothing else changed.',
        evaluate: text.upperAscii,
        ...SAME_LENGTH,
      }),
    ],
  },
  {
    name: 'trim',
    overloads: [
      method('string_trim', [[STRING], STRING], {
        about: 'The string without white space at both ends.',
        evaluate: text.trim,
        ...SAME_LENGTH,
      }),
    ],
  },
  {
    name: 'replace',
    overloads: [
      method('string_replace_string_string', [[STRING, STRING, STRING], STRING], {
        about:
          'The string with all occurrences of a substring replaced; the empty string occurs before each character and at the end.',
        evaluate: (searched, old, replacement) => text.replace(searched, { old, replacement }, -1),
        ...REWRITE_COSTS,
      }),
      method('string_replace_string_string_int', [[STRING, STRING, STRING, INT], STRING], {
        about: 'The string with the given number of occurrences of a substring replaced, all if negative.',
        evaluate: (...[searched, old, replacement, limit]) => text.replace(searched, { old, replacement }, limit),
        ...REWRITE_COSTS,
      }),
    ],
  },
  {
    name: 'strings.quote',
    overloads: [
      overload('strings_quote', [[STRING], STRING], {
        about: 'The string as a literal in double quotes.',
        evaluate: text.quote,
        ...perCharacter(),
        estimate: ({ size }) => ({
          cost: scale(size, TRAVERSAL),
          resultSize: quotedSize(size),
        }),
      }),
    ],
  },
];

const LISTS: readonly FunctionDeclaration[] = [
  {
    name: 'split',
    overloads: [
      method('string_split_string', [[STRING, STRING], STRINGS_LIST], {
        about: 'The parts between separators; the characters if the separator is empty.',
        evaluate: (searched, separator) => new ArrayList(text.split(searched, separator, -1)),
        ...SPLIT_COSTS,
      }),
      method('string_split_string_int', [[STRING, STRING, INT], STRINGS_LIST], {
        about: 'At most the given number of parts, the last with the rest; all if negative.',
        evaluate: (searched, separator, limit) => new ArrayList(text.split(searched, separator, limit)),
        ...SPLIT_COSTS,
      }),
    ],
  },
  {
    name: 'join',
    overloads: [
      method('list_join', [[STRINGS_LIST], STRING], {
        about: 'The concatenated strings of a list.',
        evaluate: (list) => join(list, ''),
        ...JOIN_COSTS,
      }),
      method('list_join_string', [[STRINGS_LIST, STRING], STRING], {
        about: 'The strings of a list joined by a separator.',
        evaluate: join,
        ...JOIN_COSTS,
      }),
    ],
  },
];

export const STRINGS: Library = Object.freeze({
  name: 'strings',
  functions: [...POSITIONS, ...REWRITES, ...LISTS, FORMAT],
});
