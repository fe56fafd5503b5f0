// Common part of grammar rules: entering and leaving them, within a depth limit, and error recovery.

import { Lexer } from './lexer.ts';
import { type Follow, Recovery, type RecoveryLimits, SyntaxFault } from './recovery.ts';
import type { TokenType } from './tokens.ts';

export interface GrammarLimits extends RecoveryLimits {
  /** How deep one rule may be nested in itself. */
  readonly depth: number;
}

/** The rules that nest in themselves; each has its own depth. */
type Rule = 'expression' | 'relation' | 'calculation';

export abstract class GrammarRules {
  protected readonly input: Recovery;
  readonly #limits: GrammarLimits;
  readonly #depth: Record<Rule, number> = { expression: 0, relation: 0, calculation: 0 };

  constructor(text: string, limits: GrammarLimits) {
    this.#limits = limits;
    this.input = new Recovery(text, new Lexer(text), limits);
  }

  /** Starts a rule that is followed by `follow` at this use. An error in the rule ends it, and the caller continues. */
  protected enter(follow: Follow, rule?: Rule): void {
    if (rule !== undefined && ++this.#depth[rule] > this.#limits.depth) {
      this.input.abort(`expression recursion limit exceeded: ${this.#limits.depth}`);
    }
    this.input.enterRule(follow);
  }

  protected leave(rule?: Rule): void {
    this.input.leaveRule();
    if (rule !== undefined) {
      this.#depth[rule]--;
    }
  }

  protected recover(fault: unknown): void {
    if (!(fault instanceof SyntaxFault)) {
      throw fault;
    }
    this.input.recover(fault);
  }

  protected next(): TokenType {
    return this.input.peek().type;
  }

  protected start(): number {
    return this.input.peek().start;
  }
}
