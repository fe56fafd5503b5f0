// An environment is what an expression is written against: functions, macros, types and variables, and the switches of
// the language. It turns text into checked expressions and those into programs, and tells what they will cost.

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
import { type ParseOutcome, parse } from './syntax/parse.ts';
import type { Type, TypeProvider } from './types/type.ts';

export interface Variable {
  readonly name: string;
  readonly type: Type<unknown>;
}

/** The switches of the language; what is a yes or no is off unless told otherwise. */
interface LanguageOptions {
  /** Whether the items of a list literal, keys and values of a map literal, have to be of one type. */
  readonly homogeneousLiterals?: boolean;
  /** Whether `<`, `<=`, `>`, `>=` compare int, uint and double with each other. */
  readonly crossTypeNumericComparisons?: boolean;
  /** Whether `a.?b`, `a[?b]` and `[?a]` can be written. */
  readonly optionalSyntax?: boolean;
  /** Whether literal durations, timestamps and patterns have to be ones. */
  readonly validateLiterals?: boolean;
  /** What `has()` costs besides its operand: 1 unless told otherwise. */
  readonly presenceTestCost?: 0 | 1;
}

export interface EnvironmentOptions extends LanguageOptions {
  readonly libraries?: readonly Library[];
  readonly variables?: readonly Variable[];
  /** Types besides those of the libraries; asked first. */
  readonly types?: TypeProvider;
  /** The namespace that names are looked up in, from the inside out. */
  readonly container?: string;
}

interface Compilation {
  /** Absent where there are issues. */
  readonly checked?: CheckedExpression;
  readonly source: Source;
  /** `issuesText` makes them readable. */
  readonly issues: readonly Issue[];
}

const DEFAULT_LANGUAGE: Required<LanguageOptions> = {
  homogeneousLiterals: false,
  crossTypeNumericComparisons: false,
  optionalSyntax: false,
  validateLiterals: false,
  presenceTestCost: 1,
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

  /** This environment and more: cheap, as what both have is shared. Options that are not given stay as they are. */
  extend(options: EnvironmentOptions): Environment {
    return new Environment(options, this);
  }

  parse(text: string): ParseOutcome {
    return parse(text, { macros: this.#macros, optionalSyntax: this.#language.optionalSyntax });
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
   * Makes an expression ready to be evaluated; one that was only parsed looks for its functions while it runs. `has()`
   * costs what the environment says unless the options do.
   * Throws EvaluationError where a part that is constant fails to evaluate.
   */
  program(expression: CheckedExpression | ParsedExpression, options: ProgramOptions = {}): Program {
    return new Program(expression, this.#declarations, {
      ...options,
      presenceTestCost: options.presenceTestCost ?? this.#language.presenceTestCost,
    });
  }

  /**
   * What evaluating the expression costs at least and at most.
   * @param sizes what is known of its variables
   */
  estimate(checked: CheckedExpression, sizes?: SizeEstimator): Range {
    return estimate(checked, {
      sizes,
      presenceTestCost: this.#language.presenceTestCost,
      equality: (type) => this.#declarations.equalityEstimate(type),
    });
  }
}

function languageOf(options: LanguageOptions, base: Required<LanguageOptions>): Required<LanguageOptions> {
  return {
    homogeneousLiterals: options.homogeneousLiterals ?? base.homogeneousLiterals,
    crossTypeNumericComparisons: options.crossTypeNumericComparisons ?? base.crossTypeNumericComparisons,
    optionalSyntax: options.optionalSyntax ?? base.optionalSyntax,
    validateLiterals: options.validateLiterals ?? base.validateLiterals,
    presenceTestCost: options.presenceTestCost ?? base.presenceTestCost,
  };
}
