// Kubernetes' CEL environments: the functions available to new expressions depend on the minimum compatibility version,
// so that older servers in the cluster can read what newer ones store. Stored expressions may use all functions.

import type { ReadonlyJson } from '../api/object.ts';
import { Environment } from '../cel/environment.ts';
import { CIDRS } from '../cel/library/cidr.ts';
import { IPS } from '../cel/library/ip.ts';
import { KUBERNETES_LISTS } from '../cel/library/kubernetes-lists.ts';
import type { Library, Overload } from '../cel/library/library.ts';
import { LIST_INCLUSION } from '../cel/library/list-inclusion.ts';
import { BOUNDED_LISTS, LISTS } from '../cel/library/lists.ts';
import { OPTIONAL } from '../cel/library/optional.ts';
import { REGEX } from '../cel/library/regex.ts';
import { SEMVER } from '../cel/library/semver.ts';
import { SETS } from '../cel/library/sets.ts';
import type { StandardDialect } from '../cel/library/standard/dialect.ts';
import { standardLibrary } from '../cel/library/standard/standard.ts';
import { STANDARD_MACROS } from '../cel/library/standard-macros.ts';
import { STRINGS } from '../cel/library/strings.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../cel/library/two-variable-comprehensions.ts';
import { URLS } from '../cel/library/urls.ts';
import { CURRENT_MINOR, isSince, NEWEST_MINOR } from '../lifecycle/version.ts';
import { AUTHORIZER, AUTHORIZER_SELECTORS } from './authorizer.ts';
import { FORMATS, FORMATS_IN_BYTES } from './format.ts';
import { QUANTITIES } from './quantity.ts';

/** Cost limit of one evaluation, as in Kubernetes. */
export const MAX_EVALUATION_COST = 1_000_000;
/** The largest request body in bytes: the assumed size of unlimited values. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** Functions of other libraries that cel-go counts as traversals of their first operand. */
const TRAVERSALS: ReadonlySet<string> = new Set(['strings_quote', 'string_format']);

/** What differs between versions of cel-go. */
interface Dialect extends StandardDialect {
  /** Whether names may be quoted: self.`in`. */
  readonly quotedNames?: boolean;
  /** Whether cost estimates follow sizes; true if undefined. */
  readonly followsSizes?: boolean;
  /** Whether messages about syntax are formats without operands. */
  readonly formatsMessages?: boolean;
}

/** The environment of each expression. */
export interface Environments {
  for(expression: string): Environment;
}

/** By the minor version of Kubernetes 1 that introduced them; new expressions may use them from the next version on. */
const LIBRARIES: readonly (readonly [minor: number, library: Library])[] = [
  [0, URLS],
  [0, REGEX],
  [0, KUBERNETES_LISTS],
  [27, AUTHORIZER],
  [31, AUTHORIZER_SELECTORS],
  [28, OPTIONAL],
  [28, QUANTITIES],
  [29, STRINGS],
  [29, SETS],
  [30, IPS],
  [30, CIDRS],
  [31, FORMATS],
  [32, TWO_VARIABLE_COMPREHENSIONS],
  [33, SEMVER],
  [34, LISTS],
  [37, LIST_INCLUSION],
];

/** The first minor release with the second version of the functions for strings, and those that it added. */
const STRINGS_ANEW = 29;
const NEW_STRINGS: ReadonlySet<string> = new Set(['format', 'strings.quote', 'join']);
const FIRST_STRINGS: Library = {
  ...STRINGS,
  functions: STRINGS.functions.filter(({ name }) => !NEW_STRINGS.has(name)),
};

/** The first minor release of Kubernetes 1 with cel-go 0.29, before which it was 0.26. */
const SINCE_CEL_029 = 37;
/** The first one with cel-go 0.23: its cost estimates follow sizes, and there are functions for lists of optional values. */
const SINCE_CEL_023 = 33;
const BEFORE_CEL_023: Dialect = { followsSizes: false, formatsMessages: true };
const OPTIONALS_SINCE_CEL_023: ReadonlySet<string> = new Set(['first', 'last', 'optional.unwrap', 'unwrapOpt']);
/** The first one that estimates what it costs to compare values of Kubernetes' own types; before, it is without bound. */
const ESTIMATES_COMPARISONS = 32;
/** The first one whose formats give lengths in bytes. */
const TELLS_BYTES = 35;

/** The previous version, which other servers in a cluster may still have. */
const COMPATIBLE_MINOR = CURRENT_MINOR - 1;

/** Environments are immutable and expensive: each is created once, when it is first used. */
class Expressions {
  readonly stored: Environments;
  readonly lenient: Environments;
  readonly #fresh: readonly NewEnvironments[];

  /**
   * @param newest the last minor release of Kubernetes 1 whose functions there are
   * @param adapted a library as it is in these releases
   */
  constructor(newest: number, dialect: Dialect, adapted: (library: Library) => Library) {
    const known = LIBRARIES.flatMap(([since, library]) =>
      since <= newest ? [[since, adapted(library)] as const] : [],
    );
    this.stored = environmentOf(known, dialect);
    this.lenient = environmentOf(known, dialect, withoutCosts);
    const releases = [...new Set(known.map(([since]) => since))].toSorted((one, other) => one - other);
    this.#fresh = releases.map((minor) => {
      const libraries = known.filter(([since]) => since <= minor);
      if (minor < STRINGS_ANEW) libraries.push([0, adapted(FIRST_STRINGS)]);
      const withoutSelectors = libraries.filter(([, { name }]) => name !== AUTHORIZER_SELECTORS.name);
      return {
        minor,
        all: environmentOf(libraries, dialect),
        withoutSelectors: environmentOf(withoutSelectors, dialect),
      };
    });
  }

  fresh(minCompatibilityMinor: number): NewEnvironments {
    return this.#fresh.findLast(({ minor }) => minor <= minCompatibilityMinor)!;
  }
}

/** Those of ranges of releases, the newest first, by the first release of each. */
const BY_RELEASE: readonly (readonly [since: number, expressions: Expressions])[] = [
  [
    SINCE_CEL_029,
    new Expressions(
      NEWEST_MINOR,
      { quotedNames: true, pricesGlobalMatches: true, durationsOfInts: false },
      (library) => (library === LISTS ? BOUNDED_LISTS : withLengthsInBytes(library)),
    ),
  ],
  [TELLS_BYTES, new Expressions(SINCE_CEL_029 - 1, {}, withLengthsInBytes)],
  [SINCE_CEL_023, new Expressions(SINCE_CEL_029 - 1, {}, (library) => library)],
  [ESTIMATES_COMPARISONS, new Expressions(SINCE_CEL_029 - 1, BEFORE_CEL_023, beforeCel023)],
  [0, new Expressions(SINCE_CEL_029 - 1, BEFORE_CEL_023, (library) => withoutComparisons(beforeCel023(library)))],
];

function withLengthsInBytes(library: Library): Library {
  return library === FORMATS ? FORMATS_IN_BYTES : library;
}

function beforeCel023(library: Library): Library {
  if (library !== OPTIONAL) return library;
  return { ...library, functions: library.functions.filter(({ name }) => !OPTIONALS_SINCE_CEL_023.has(name)) };
}

/** Without estimates of comparisons, and of the sizes of URLs that they depend on. */
function withoutComparisons({ equality: _, ...library }: Library): Library {
  if (library.name !== URLS.name) return library;
  const functions = library.functions.map((each) => ({ ...each, overloads: each.overloads.map(withoutSize) }));
  return { ...library, functions };
}

function withoutSize({ estimate, ...overload }: Overload): Overload {
  if (estimate === undefined) return overload;
  return { ...overload, estimate: (...operands) => ({ cost: estimate(...operands).cost }) };
}

/** @param minor the minor release of Kubernetes 1 that is served; the one served by default if undefined */
function expressionsIn(minor: number | undefined): Expressions {
  return (BY_RELEASE.find(([since]) => isSince({ minor }, since)) as (typeof BY_RELEASE)[number])[1];
}

/** Functions for existing expressions, accepted by any version. @param minor as in `ExpressionScope` */
export function storedExpressions(minor?: number): Environments {
  return expressionsIn(minor).stored;
}

/**
 * Functions for existing expressions whose costs are those that cel-go itself counts: for policies and match conditions
 * without the gates StrictCostEnforcementForVAP and StrictCostEnforcementForWebhooks.
 * @param minor as in `ExpressionScope`
 */
export function lenientExpressions(minor?: number): Environments {
  return expressionsIn(minor).lenient;
}

/** Functions for existing expressions in the release that is served by default. */
export const STORED_EXPRESSIONS: Environments = storedExpressions();

/** cel-go itself counts the costs of its libraries for sets and lists. */
function withoutCosts(library: Library): Library {
  if (library.name === SETS.name || library.name === LISTS.name) return library;
  return {
    ...library,
    functions: library.functions.map(({ cost: _, ...each }) => ({
      ...each,
      overloads: each.overloads.map((overload) => (TRAVERSALS.has(overload.id) ? overload : withoutCost(overload))),
    })),
  };
}

function withoutCost({ cost: _, pricesErrors: __, chargedAhead: ___, ...overload }: Overload): Overload {
  return overload;
}

/** What determines the functions available to new expressions. */
export interface ExpressionScope {
  /** The minor release of Kubernetes 1 that is served; the one served by default if undefined. */
  readonly minor?: number | undefined;
  /** The oldest minor version of Kubernetes 1 that must support them; the previous one by default. */
  readonly minCompatibilityMinor?: number | undefined;
  readonly gateEnabled: (gate: string) => boolean;
}

/** Functions for new expressions from a minor version of Kubernetes 1 on. */
interface NewEnvironments {
  readonly minor: number;
  readonly all: Environments;
  /** Without the authorizer's functions for selectors. */
  readonly withoutSelectors: Environments;
}

/** Functions for new expressions. */
export function newExpressions(scope: ExpressionScope): Environments {
  const { minor, minCompatibilityMinor = COMPATIBLE_MINOR, gateEnabled } = scope;
  const { all, withoutSelectors } = expressionsIn(minor).fresh(minCompatibilityMinor);
  return gateEnabled('AuthorizeWithSelectors') ? all : withoutSelectors;
}

/**
 * Functions for expressions in an update: existing expressions may use all functions.
 * @param previous the stored object; undefined for a create
 * @param members names of the fields with expressions
 */
export function environmentsAfter(
  previous: ReadonlyJson | undefined,
  members: RegExp,
  scope: ExpressionScope,
): Environments {
  const fresh = newExpressions(scope);
  if (previous === undefined) return fresh;
  let stored: ReadonlySet<string> | undefined;
  return {
    for: (expression) => {
      stored ??= new Set(textsIn(previous, members));
      return (stored.has(expression) ? storedExpressions(scope.minor) : fresh).for(expression);
    },
  };
}

/** The values of all fields with these names, anywhere. */
function textsIn(value: ReadonlyJson | undefined, members: RegExp): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, members));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each !== 'string' ? textsIn(each, members) : members.test(name) ? [each] : [],
  );
}

/** A shared environment, created on first use. */
function environmentOf(
  libraries: typeof LIBRARIES,
  { quotedNames, followsSizes, formatsMessages, ...dialect }: Dialect,
  adapted = (library: Library) => library,
): Environments {
  let environment: Environment | undefined;
  return {
    for: () => {
      environment ??= new Environment({
        libraries: [
          { ...standardLibrary(dialect), macros: STANDARD_MACROS },
          ...libraries.map(([, library]) => adapted(library)),
        ],
        homogeneousLiterals: true,
        crossTypeNumericComparisons: true,
        optionalSyntax: true,
        validateLiterals: true,
        presenceTestCost: 0,
        quotedNames,
        followsSizes,
        formatsMessages,
      });
      return environment;
    },
  };
}
