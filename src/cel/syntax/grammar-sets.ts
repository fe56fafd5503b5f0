// First and follow sets of the grammar rules, for the expected tokens in error messages and for recovery.

import type { Follow } from './recovery.ts';
import type { TokenType } from './tokens.ts';

const LITERALS: readonly TokenType[] = ['NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'true', 'false', 'null'];
const MEMBER: readonly TokenType[] = ['[', '{', '(', '.', '-', ...LITERALS, 'IDENTIFIER'];
const EXPRESSION: readonly TokenType[] = [...MEMBER, '!'];
const NAMES: readonly TokenType[] = ['IDENTIFIER', 'ESC_IDENTIFIER'];
const RELATIONS: readonly TokenType[] = ['<', '<=', '>=', '>', '==', '!=', 'in'];
const PRODUCTS: readonly TokenType[] = ['*', '/', '%'];
const SUMS: readonly TokenType[] = ['+', '-'];

export const FIRST = {
  member: new Set(MEMBER),
  expression: new Set(EXPRESSION),
  negation: new Set<TokenType>(['-', ...MEMBER]),
  not: new Set<TokenType>(['!', ...MEMBER]),
  optionalExpression: new Set<TokenType>([...EXPRESSION, '?']),
  arguments: new Set<TokenType>([...EXPRESSION, ')']),
  elements: new Set<TokenType>([...EXPRESSION, '?', ',', ']']),
  entries: new Set<TokenType>([...EXPRESSION, '?', ',', '}']),
  fields: new Set<TokenType>([...NAMES, '?', ',', '}']),
  field: new Set<TokenType>([...NAMES, '?']),
  name: new Set(NAMES),
  listEnd: new Set<TokenType>([',', ']']),
  mapEnd: new Set<TokenType>([',', '}']),
} as const;

export const RELATION_SET: ReadonlySet<TokenType> = new Set(RELATIONS);
export const PRODUCT_SET: ReadonlySet<TokenType> = new Set(PRODUCTS);
export const SUM_SET: ReadonlySet<TokenType> = new Set(SUMS);

function followedBy(...types: readonly TokenType[]): Follow {
  return { types: new Set(types), end: false };
}

function endingOr(...types: readonly TokenType[]): Follow {
  return { types: new Set(types), end: true };
}

/** What follows a rule at a use, and what follows a token within a rule. */
export const AFTER = {
  whole: followedBy('EOF'),
  condition: endingOr('?'),
  whenTrue: followedBy(':'),
  end: endingOr(),
  orTerm: endingOr('||'),
  andTerm: endingOr('&&'),
  relationTerm: endingOr(...RELATIONS),
  calculationTerm: endingOr(...PRODUCTS, ...SUMS),
  memberPart: endingOr('.', '['),
  inParentheses: followedBy(')'),
  inBrackets: followedBy(']'),
  inBraces: followedBy('}'),
  item: endingOr(','),
  elements: followedBy(',', ']'),
  entries: followedBy(',', '}'),
  key: followedBy(':'),
  expression: { types: FIRST.expression, end: false },
  optionalExpression: { types: FIRST.optionalExpression, end: false },
  field: { types: FIRST.field, end: false },
  member: { types: FIRST.member, end: false },
  number: followedBy('NUM_INT', 'NUM_FLOAT'),
  name: followedBy('IDENTIFIER'),
  names: followedBy(...NAMES),
  optionalName: followedBy('?', ...NAMES),
  openParenthesis: followedBy('('),
  openBrace: followedBy('{'),
  arguments: { types: FIRST.arguments, end: false },
  elementsStart: { types: FIRST.elements, end: false },
  entriesStart: { types: FIRST.entries, end: false },
  fieldsStart: { types: FIRST.fields, end: false },
} as const;
