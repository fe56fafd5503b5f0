// Token types of the grammar, in the order and with the names in which cel-go's messages list expected tokens.

export type TokenType =
  | 'EOF'
  | '=='
  | '!='
  | 'in'
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%'
  | 'true'
  | 'false'
  | 'null'
  | 'NUM_FLOAT'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'STRING'
  | 'BYTES'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER';

/** A token; `start` and `end` index the text in UTF-16 units. */
export interface Token {
  readonly type: TokenType;
  readonly start: number;
  readonly end: number;
}

const SYMBOLIC = ['NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER', 'ESC_IDENTIFIER'] as const;

const LISTED: readonly (readonly [TokenType, string])[] = [
  ['EOF', '<EOF>'],
  ...(
    [
      ...['==', '!=', 'in', '<', '<=', '>=', '>', '&&', '||', '[', ']', '{', '}', '(', ')', '.', ',', '-', '!'],
      ...['?', ':', '+', '*', '/', '%', 'true', 'false', 'null'],
    ] as TokenType[]
  ).map((type) => [type, `'${type}'`] as const),
  ...SYMBOLIC.map((type) => [type, type] as const),
];

/** A set of kinds as messages write it: `{'[', IDENTIFIER}`, or the only one without braces. */
export function listTokens(types: ReadonlySet<TokenType>): string {
  const names = LISTED.filter(([type]) => types.has(type)).map(([, name]) => name);
  return names.length === 1 ? `${names[0]}` : `{${names.join(', ')}}`;
}
