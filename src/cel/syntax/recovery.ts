// Error recovery of the grammar, and messages of syntax errors: the strategy of cel-go's parser generator, because
// clients see its messages. A surplus token is skipped, a missing one assumed; otherwise the current rule ends and
// tokens are skipped until an enclosing rule can continue.

import type { Lexer } from './lexer.ts';
import { listTokens, type Token, type TokenType } from './tokens.ts';

/** What may come next at a place in a rule. */
export interface Follow {
  readonly types: ReadonlySet<TokenType>;
  /** The rule may also end here, so that what follows the rule is allowed. */
  readonly end: boolean;
}

/** A token that the rule at hand cannot go on with; the rule's own handler recovers. */
export class SyntaxFault {
  readonly message: string;
  readonly token: Token;
  /** The position in the grammar: two errors at one token and one position mean no progress. */
  readonly place: string;
  constructor(message: string, token: Token, place: string) {
    this.message = message;
    this.token = token;
    this.place = place;
  }
}

/** Ends the reading of the text: a limit was reached. */
export class ParseAbort {}

/** A syntax error at a place in the text (UTF-16), or at none. */
export interface SyntaxIssue {
  readonly message: string;
  readonly start: number | undefined;
}

export interface RecoveryLimits {
  /** How often the parser may try to go on. */
  readonly recoveries: number;
  /** How many tokens one recovery may skip. */
  readonly recoveryTokens: number;
  /** The maximum number of syntax errors before the parser gives up. */
  readonly syntaxErrors: number;
}

export class Recovery {
  readonly issues: SyntaxIssue[] = [];
  readonly #text: string;
  readonly #lexer: Lexer;
  readonly #limits: RecoveryLimits;
  readonly #tokens: Token[] = [];
  /** What follows each active rule, outermost first. */
  readonly #following: Follow[] = [];
  #index = 0;
  #lexicalFaultsTold = 0;
  #attempts = 0;
  /** After an error and until the next matching token, errors are consequences and are not reported. */
  #recovering = false;
  #lastFault: { readonly index: number; readonly places: Set<string> } | undefined;

  constructor(text: string, lexer: Lexer, limits: RecoveryLimits) {
    this.#text = text;
    this.#lexer = lexer;
    this.#limits = limits;
  }

  /** The token `distance` after the next one. */
  peek(distance = 0): Token {
    while (this.#tokens.length <= this.#index + distance) {
      this.#tokens.push(this.#lexer.next());
      this.#tellLexicalFaults();
    }
    return this.#tokens[this.#index + distance] as Token;
  }

  enterRule(follow: Follow): void {
    this.#following.push(follow);
  }

  leaveRule(): void {
    this.#following.pop();
  }

  /**
   * Consumes a token of a type; after an error possibly one that is missing in the text.
   * @param after what may follow it
   * @param place the position in the grammar, for tokens that occur in several places and may be missing
   */
  take(type: TokenType, after: Follow, place = ''): Token {
    const token = this.peek();
    if (token.type === type) {
      this.#matched();
      this.#consume();
      return token;
    }
    this.#countAttempt();
    const deleted = this.#passOverOne({ types: new Set([type]), end: false });
    if (deleted !== undefined) {
      this.#consume();
      return deleted;
    }
    if (this.#expected(after).has(token.type)) {
      this.#tell(() => `missing ${listTokens(new Set([type]))} at ${this.#shown(token)}`, token);
      return { type, start: token.start, end: token.start };
    }
    throw this.#mismatch(new Set([type]), `${type} of ${place}`);
  }

  /** Takes whatever is next. */
  takeAny(): Token {
    const token = this.peek();
    this.#matched();
    this.#consume();
    return token;
  }

  /** Makes sure that the next token is one that can come at the beginning of an optional or alternative part. */
  expect(types: ReadonlySet<TokenType>, place: string): void {
    if (this.#recovering || types.has(this.peek().type)) {
      return;
    }
    if (this.#passOverOne({ types, end: false }) === undefined) {
      throw this.#mismatch(types, place);
    }
  }

  /** The same at the end of a repeated part, where tokens are skipped until one fits. */
  expectInLoop(types: ReadonlySet<TokenType>): void {
    if (this.#recovering || types.has(this.peek().type)) {
      return;
    }
    this.#tell(() => `extraneous input ${this.#shown(this.peek())} expecting ${listTokens(types)}`, this.peek());
    this.#skipTo(new Set([...types, ...this.#resumable()]));
  }

  /** The error that no alternative matches the text from the next token to the one `distance` after it. */
  noAlternative(distance: number, place: string): SyntaxFault {
    const start = this.peek();
    const offending = this.peek(distance);
    const text = start.type === 'EOF' ? '<EOF>' : this.#lexer.textBetween(start.start, offending.end);
    const word = /^.(true|false|null)$/s.exec(text)?.[1];
    const message =
      word === undefined
        ? `no viable alternative at input ${quoted(text)}`
        : `mismatched input '${word}' expecting IDENTIFIER`;
    return new SyntaxFault(message, offending, place);
  }

  /** Recovers from an error in the rule entered last. */
  recover(fault: SyntaxFault): void {
    this.#tell(() => fault.message, fault.token);
    this.#countAttempt();
    let skipped = 0;
    if (this.#lastFault?.index === this.#index && this.#lastFault.places.has(fault.place)) {
      this.#consume();
      skipped++;
    }
    if (this.#lastFault?.index !== this.#index) {
      this.#lastFault = { index: this.#index, places: this.#lastFault?.places ?? new Set() };
    }
    this.#lastFault.places.add(fault.place);
    this.#skipTo(this.#resumable(), { skipped });
  }

  /** Ends the reading with an issue that has no place. */
  abort(message: string): never {
    this.issues.push({ message, start: undefined });
    throw new ParseAbort();
  }

  #matched(): void {
    this.#recovering = false;
    this.#lastFault = undefined;
  }

  #consume(): void {
    if (this.peek().type !== 'EOF') {
      this.#index++;
    }
  }

  /** Takes the next token away if the one after it fits; answers with that. */
  #passOverOne(expected: Follow): Token | undefined {
    const next = this.peek(1);
    if (this.peek().type === 'EOF' || !expected.types.has(next.type)) {
      return undefined;
    }
    const extra = this.peek();
    this.#tell(() => `extraneous input ${this.#shown(extra)} expecting ${listTokens(expected.types)}`, extra);
    this.#consume();
    this.#matched();
    return next;
  }

  #mismatch(expected: ReadonlySet<TokenType>, place: string): SyntaxFault {
    const token = this.peek();
    return new SyntaxFault(`mismatched input ${this.#shown(token)} expecting ${listTokens(expected)}`, token, place);
  }

  /** Returns the tokens allowed at a position, given the active rules. */
  #expected(follow: Follow): ReadonlySet<TokenType> {
    const types = new Set(follow.types);
    let end = follow.end;
    for (let depth = this.#following.length - 1; end && depth >= 0; depth--) {
      const outer = this.#following[depth] as Follow;
      for (const type of outer.types) {
        types.add(type);
      }
      end = outer.end;
    }
    return end ? types.add('EOF') : types;
  }

  /** Returns the tokens with which any active rule can continue. */
  #resumable(): Set<TokenType> {
    const types = new Set<TokenType>();
    for (const follow of this.#following) {
      for (const type of follow.types) {
        types.add(type);
      }
    }
    return types;
  }

  #skipTo(types: ReadonlySet<TokenType>, recovery?: { skipped: number }): void {
    while (this.peek().type !== 'EOF' && !types.has(this.peek().type)) {
      if (recovery !== undefined && recovery.skipped++ >= this.#limits.recoveryTokens) {
        this.abort(`error recovery token lookahead limit exceeded: ${this.#limits.recoveryTokens}`);
      }
      this.#consume();
    }
  }

  #countAttempt(): void {
    if (this.#attempts === this.#limits.recoveries) {
      this.#report(`error recovery attempt limit exceeded: ${this.#limits.recoveries}`, this.peek().start);
      throw new ParseAbort();
    }
    this.#attempts++;
  }

  #tell(message: () => string, token: Token): void {
    if (!this.#recovering) {
      this.#recovering = true;
      this.#report(message(), token.start);
    }
  }

  #tellLexicalFaults(): void {
    const faults = this.#lexer.faults;
    for (; this.#lexicalFaultsTold < faults.length; this.#lexicalFaultsTold++) {
      const fault = faults[this.#lexicalFaultsTold] as (typeof faults)[number];
      this.#report(`token recognition error at: '${this.#text.slice(fault.start, fault.end)}'`, fault.start);
    }
  }

  #report(message: string, start: number): void {
    const told = this.issues.length;
    const tooMany = told >= this.#limits.syntaxErrors;
    const text = tooMany ? `More than ${this.#limits.syntaxErrors} syntax errors` : message;
    this.issues.push({ message: `Syntax error: ${text}`, start });
    if (tooMany) {
      throw new ParseAbort();
    }
  }

  #shown(token: Token): string {
    if (token.type === 'EOF') {
      return "'<EOF>'";
    }
    return quoted(this.#text.slice(token.start, token.end));
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}
