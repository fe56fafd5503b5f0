// The parser: limits, grammar, then the syntax tree with expanded macros. Rules and messages are cel-go's.

import { limits } from '../../base/limits.ts';
import type { Macro } from '../library/library.ts';
import { CodePointOffsets } from './code-point-offsets.ts';
import type { Issue, ParsedExpression, Source } from './expression.ts';
import { ExpressionReader } from './expression-reader.ts';
import { readExpression } from './grammar.ts';
import type { GrammarLimits } from './grammar-rules.ts';

interface ParseLimits extends GrammarLimits {
  /** How long a text may be, in code points. */
  readonly codePoints: number;
  /** How many nodes its tree may have. */
  readonly nodes: number;
}

const LIMITS: ParseLimits = {
  codePoints: limits.expressionCodePoints,
  nodes: limits.expressionNodes,
  depth: limits.expressionDepth,
  recoveries: limits.expressionRecoveries,
  recoveryTokens: limits.expressionRecoveryTokens,
  syntaxErrors: limits.expressionSyntaxErrors,
};

export interface ParseOptions {
  readonly macros: readonly Macro[];
  /** `a.?b`, `a[?b]`, `{?k: v}`: on by default. */
  readonly optionalSyntax?: boolean;
  /** Field names in backticks: off by default, as in Kubernetes. */
  readonly quotedNames?: boolean;
  /** Other limits than those of the server, for tests. */
  readonly limits?: Partial<ParseLimits>;
  /** The name of the text in issues: `<input>` by default. */
  readonly description?: string;
}

export interface ParseOutcome {
  /** Absent when there are issues. */
  readonly parsed?: ParsedExpression;
  readonly source: Source;
  readonly issues: readonly Issue[];
}

/**
 * Parses an expression.
 * @returns the tree, or the issues in order; `issuesText` formats them
 */
export function parse(text: string, options: ParseOptions): ParseOutcome {
  const bounds = { ...LIMITS, ...options.limits };
  const source = { text, description: options.description ?? '<input>' };
  const offsets = new CodePointOffsets(text);
  if (offsets.length > bounds.codePoints) {
    const message = `expression code point size exceeds limit: size: ${offsets.length}, limit ${bounds.codePoints}`;
    return { source, issues: [{ message, offset: undefined }] };
  }
  const { tree, issues: syntaxIssues } = readExpression(text, bounds);
  const issues: Issue[] = syntaxIssues.map(({ message, start }) => ({
    message,
    offset: start === undefined ? undefined : offsets.at(start),
  }));
  if (tree === undefined) {
    return { source, issues };
  }
  const reader = new ExpressionReader(text, offsets, {
    macros: options.macros,
    optionalSyntax: options.optionalSyntax ?? true,
    quotedNames: options.quotedNames ?? false,
    depth: bounds.depth,
    nodes: bounds.nodes,
  });
  const root = reader.read(tree);
  issues.push(...reader.issues);
  if (issues.length > 0) {
    return { source, issues };
  }
  return { parsed: { root, source, positions: reader.positions, macroCalls: reader.macroCalls }, source, issues };
}
