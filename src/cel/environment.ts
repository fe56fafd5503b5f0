// CEL environments: functions, macros, types, variables and language options. An environment compiles text to checked
// expressions and those to programs, and estimates costs.

import type { CheckedExpression } from './check/checked-expression.ts';
import { check } from './check/checker.ts';
import { Declarations } from './check/declarations.ts';
import { validate } from './check/validate.ts';
import { estimate } from './cost/estimate.ts';
import type { Range } from './cost/range.ts';
import type { SizeEstimator } from './cost/size-estimator.ts';
import type { Library, Macro } from './library/library.ts';
import { Program, type ProgramOptions } from './plan/program.ts';
import type { Issue, ParsedExpression, Source } from './syntax/expression.ts';
import { formatWithoutOperands } from './syntax/format-without-operands.ts';
import { NO_CODE_POINT } from './syntax/literals.ts';
import { type ParseOutcome, parse } from './syntax/parse.ts';
import type { Type, TypeProvider } from './types/type.ts';

export interface Variable {
  readonly name: string;
  readonly type: Type<unknown>;
}

/** Language options; booleans are off by default. */
interface LanguageOptions {
  /** Whether the items of a list literal, and keys and values of a map literal, must have one type. */
  readonly homogeneousLiterals?: boolean;
  /** Whether `<`, `<=`, `>`, `>=` compare int, uint and double with each other. */
  readonly crossTypeNumericComparisons?: boolean;
  /** Whether `a.?b`, `a[?b]` and `[?a]` are supported. */
  readonly optionalSyntax?: boolean;
  /** Whether names of fields may be quoted: a.`in`. */
  readonly quotedNames?: boolean | undefined;
  /** Whether literal durations, timestamps and patterns are validated. */
  readonly validateLiterals?: boolean;
  /** The cost of `has()` in addition to its operand: 1 by default. */
  readonly presenceTestCost?: 0 | 1;
  /**
   * Whether cost estimates follow sizes through names, `dyn()` and what is in lists, maps and optional values, as those of
   * cel-go do since 0.23; true by default.
   */
  readonly followsSizes?: boolean | undefined;
  /** Whether messages of the parser are those of cel-go before 0.23: syntax errors are formats without operands. */
  readonly formatsMessages?: boolean | undefined;
}

export interface EnvironmentOptions extends LanguageOptions {
  readonly libraries?: readonly Library[];
  readonly variables?: readonly Variable[];
  /** Types in addition to those of the libraries, which they override. */
  readonly types?: TypeProvider;
  /** The namespace for resolving names, from the inside out. */
  readonly container?: string;
}

interface Compilation {
  /** Absent if there are issues. */
  readonly checked?: CheckedExpression;
  readonly source: Source;
  /** `issuesText` formats them. */
  readonly issues: readonly Issue[];
}

const DEFAULT_LANGUAGE: Required<LanguageOptions> = {
  homogeneousLiterals: false,
  crossTypeNumericComparisons: false,
  optionalSyntax: false,
  quotedNames: false,
  validateLiterals: false,
  presenceTestCost: 1,
  followsSizes: true,
  formatsMessages: false,
};

export class Environment {
  readonly #declarations: Declarations;
  readonly #macros: readonly Macro[];
  readonly #language: Required<LanguageOptions>;

  constructor(options: EnvironmentOptions = {}, base?: Environment) {
    const macros = (options.libraries ?? []).flatMap((library) => library.macros ?? []);
    this.#declarations = new Declarations(options, base === undefined ? undefined : base.#declarations);
    this.#macros = base === undefined ? macros : macros.length === 0 ? base.#macros : [...base.#macros, ...macros];
    this.#language = languageOf(options, base === undefined ? DEFAULT_LANGUAGE : base.#language);
  }

  /** An extended environment: cheap, because common parts are shared. Other options are unchanged. */
  extend(options: EnvironmentOptions): Environment {
    return new Environment(options, this);
  }

  parse(text: string): ParseOutcome {
    const { optionalSyntax, quotedNames, formatsMessages } = this.#language;
    const outcome = parse(text, { macros: this.#macros, optionalSyntax, quotedNames });
    if (!formatsMessages || outcome.issues.length === 0) return outcome;
    return { ...outcome, issues: outcome.issues.map(formatted) };
  }

  check(parsed: ParsedExpression): Compilation {
    const { source } = parsed;
    const { checked, issues } = check(parsed, this.#declarations, this.#language);
    if (checked === undefined) return { source, issues };
    const invalid = validate(checked, this.#declarations, this.#language);
    return invalid.length > 0 ? { source, issues: invalid } : { checked, source, issues };
  }

  compile(text: string): Compilation {
    const { parsed, source, issues } = this.parse(text);
    return parsed === undefined ? { source, issues } : this.check(parsed);
  }

  /**
   * Plans an expression; one that was only parsed resolves functions at run time. The cost of `has()` is the
   * environment's unless the options override it. Throws EvaluationError if a constant part fails.
   */
  program(expression: CheckedExpression | ParsedExpression, options: ProgramOptions = {}): Program {
    return new Program(expression, this.#declarations, {
      ...options,
      presenceTestCost: options.presenceTestCost ?? this.#language.presenceTestCost,
    });
  }

  /**
   * Returns the minimum and maximum cost of the expression.
   * @param sizes of variables, as far as known
   */
  estimate(checked: CheckedExpression, sizes?: SizeEstimator): Range {
    return estimate(checked, {
      sizes,
      presenceTestCost: this.#language.presenceTestCost,
      followsSizes: this.#language.followsSizes,
      equality: (type) => this.#declarations.equalityEstimate(type),
    });
  }
}

function formatted({ message, ...issue }: Issue): Issue {
  if (message === NO_CODE_POINT) return { ...issue, message: 'unable to unescape string' };
  return { ...issue, message: message.startsWith('Syntax error: ') ? formatWithoutOperands(message) : message };
}

function languageOf(options: LanguageOptions, base: Required<LanguageOptions>): Required<LanguageOptions> {
  return {
    homogeneousLiterals: options.homogeneousLiterals ?? base.homogeneousLiterals,
    crossTypeNumericComparisons: options.crossTypeNumericComparisons ?? base.crossTypeNumericComparisons,
    optionalSyntax: options.optionalSyntax ?? base.optionalSyntax,
    quotedNames: options.quotedNames ?? base.quotedNames,
    validateLiterals: options.validateLiterals ?? base.validateLiterals,
    presenceTestCost: options.presenceTestCost ?? base.presenceTestCost,
    followsSizes: options.followsSizes ?? base.followsSizes,
    formatsMessages: options.formatsMessages ?? base.formatsMessages,
  };
}
