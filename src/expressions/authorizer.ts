// The CEL authorizer library: `authorizer.group('apps').resource('deployments').check('create').allowed()`.
// AuthorizerBackend makes the decisions.

import { type FieldSelector, FieldSelectorError, parseFieldSelector } from '../api/field-selector.ts';
import { type LabelSelector, LabelSelectorError, parseLabelSelector } from '../api/label-selector.ts';
import { labelFaults, subdomainFaults } from '../api/names.ts';
import { add, exactly, type Range, scale } from '../cel/cost/range.ts';
import { TRAVERSAL } from '../cel/library/call-cost.ts';
import { type FunctionDeclaration, type Library, method, type Operand } from '../cel/library/library.ts';
import { equalityAtOneCost } from '../cel/library/named-types.ts';
import { trim } from '../cel/library/text-functions.ts';
import { BOOL, STRING, structType, type Type } from '../cel/types/type.ts';
import { EvaluationError } from '../cel/value/evaluation-error.ts';
import { sizeOf } from '../cel/value/size.ts';
import { OpaqueValue } from '../cel/value/value.ts';

/** The subject of a check. */
interface Subject {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Whether `subject` may perform `verb` on a path or a resource, in any version. */
export type AuthorizationQuestion = PathQuestion | ResourceQuestion;

interface PathQuestion {
  readonly kind: 'path';
  readonly subject: Subject;
  /** An HTTP method, as in the expression. */
  readonly verb: string;
  readonly path: string;
}

interface ResourceQuestion extends ResourceChoice {
  readonly kind: 'resource';
  readonly subject: Subject;
  readonly verb: string;
  /** '' for the core group. */
  readonly group: string;
  /** Absent if there is none, and if it is invalid. */
  readonly fieldSelector: FieldSelector | undefined;
  /** Like `fieldSelector`. */
  readonly labelSelector: LabelSelector | undefined;
}

interface ResourceChoice {
  /** The plural name. */
  readonly resource: string;
  /** '' for none, also for `namespace` and `name`. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface AuthorizationAnswer {
  readonly allowed: boolean;
  /** The reason; may be empty. */
  readonly reason: string;
  /** The error; absent if none. */
  readonly error?: string;
}

/**
 * Makes decisions for expressions, synchronously, because an evaluation cannot wait. Rules in memory suffice for that;
 * an authorizer that has to call a webhook throws an Interruption, which nothing in the expression absorbs, and the
 * expression is evaluated again once the decision is available.
 */
export interface AuthorizerBackend {
  authorize(question: AuthorizationQuestion): AuthorizationAnswer;
}

/** A value with methods only, which cannot be compared. */
abstract class Incomparable extends OpaqueValue {
  override equals(): boolean {
    throw new EvaluationError('no such overload');
  }
}

/** The variable `authorizer`: checks for the user, or for another subject. */
export class Authorizer extends Incomparable {
  override readonly type: Type<unknown> = AUTHORIZER_TYPE;
  readonly subject: Subject;
  readonly backend: AuthorizerBackend;

  constructor(subject: Subject, backend: AuthorizerBackend) {
    super();
    this.subject = subject;
    this.backend = backend;
  }
}

class PathCheck extends Incomparable {
  override readonly type: Type<unknown> = PATH_CHECK_TYPE;
  readonly #authorizer: Authorizer;
  readonly #path: string;

  constructor(authorizer: Authorizer, path: string) {
    super();
    this.#authorizer = authorizer;
    this.#path = path;
  }

  ask(verb: string): Decision {
    const { subject, backend } = this.#authorizer;
    return new Decision(backend.authorize({ kind: 'path', subject, verb, path: this.#path }));
  }
}

class GroupCheck extends Incomparable {
  override readonly type: Type<unknown> = GROUP_CHECK_TYPE;
  readonly authorizer: Authorizer;
  readonly group: string;

  constructor(authorizer: Authorizer, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** The attributes of a resource check; '' if not set. */
interface ResourceCheckFields extends ResourceChoice {
  readonly authorizer: Authorizer;
  readonly group: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** The variable `authorizer.requestResource` has this type too. */
export class ResourceCheck extends Incomparable {
  override readonly type: Type<unknown> = RESOURCE_CHECK_TYPE;
  readonly #fields: ResourceCheckFields;

  constructor(fields: Pick<ResourceCheckFields, 'authorizer' | 'group' | 'resource'> & Partial<ResourceCheckFields>) {
    super();
    this.#fields = { subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '', ...fields };
  }

  with(fields: Partial<ResourceCheckFields>): ResourceCheck {
    return new ResourceCheck({ ...this.#fields, ...fields });
  }

  ask(verb: string): Decision {
    const { authorizer, fieldSelector, labelSelector, ...fields } = this.#fields;
    const { subject, backend } = authorizer;
    const selectors = {
      fieldSelector: readSelector(fieldSelector, parseFieldSelector),
      labelSelector: readSelector(labelSelector, parseLabelSelector),
    };
    return new Decision(backend.authorize({ kind: 'resource', subject, verb, ...fields, ...selectors }));
  }
}

function readSelector<S>(text: string, parse: (text: string) => S): S | undefined {
  if (text === '') return undefined;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof FieldSelectorError || error instanceof LabelSelectorError) return undefined;
    throw error;
  }
}

class Decision extends Incomparable {
  override readonly type: Type<unknown> = DECISION_TYPE;
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    super();
    this.answer = answer;
  }
}

const PREFIX = 'kubernetes.authorization';
export const AUTHORIZER_TYPE = structType<Authorizer>(`${PREFIX}.Authorizer`);
export const RESOURCE_CHECK_TYPE = structType<ResourceCheck>(`${PREFIX}.ResourceCheck`);
const PATH_CHECK_TYPE = structType<PathCheck>(`${PREFIX}.PathCheck`);
const GROUP_CHECK_TYPE = structType<GroupCheck>(`${PREFIX}.GroupCheck`);
const DECISION_TYPE = structType<Decision>(`${PREFIX}.Decision`);

function pathCheck(authorizer: Authorizer, path: string): PathCheck {
  if (trim(path) === '') throw new EvaluationError('path must not be empty');
  return new PathCheck(authorizer, path);
}

function resourceCheck({ authorizer, group }: GroupCheck, resource: string): ResourceCheck {
  if (trim(resource) === '') throw new EvaluationError('resource must not be empty');
  return new ResourceCheck({ authorizer, group, resource });
}

function serviceAccount({ backend }: Authorizer, namespace: string, name: string): Authorizer {
  if (subdomainFaults(name).length > 0) throw new EvaluationError('Invalid service account name');
  if (labelFaults(namespace).length > 0) throw new EvaluationError('Invalid service account namespace');
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return new Authorizer({ name: `system:serviceaccount:${namespace}:${name}`, uid: '', groups, extra: {} }, backend);
}

/** So expensive that two fit into the budget of an expression, and not three. */
const CHECK = 350_000;
const CHECK_COSTS = { pricesErrors: true, cost: () => CHECK, estimate: () => ({ cost: exactly(CHECK) }) };

/** A list of the requirements, and for each, of at least two characters, a struct and a list. */
const SELECTOR = 10;
const REQUIREMENT = 50;
const REQUIREMENTS_PER_CHARACTER = 0.5;
const SELECTOR_COSTS = {
  pricesErrors: true,
  cost: (_result: unknown, _check: ResourceCheck, selector: string) => selectorCost(exactly(sizeOf(selector))).max,
  estimate: (_check: Operand, selector?: Operand) => ({ cost: selectorCost((selector as Operand).size) }),
};

function selectorCost(characters: Range): Range {
  const requirements = scale(scale(characters, REQUIREMENTS_PER_CHARACTER), REQUIREMENT);
  return add(add(exactly(SELECTOR), scale(characters, TRAVERSAL)), requirements);
}

const QUESTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'path',
    overloads: [
      method('authorizer_path', [[AUTHORIZER_TYPE, STRING], PATH_CHECK_TYPE], {
        about: 'A check for a non-resource path such as `/healthz`; an error if empty.',
        evaluate: pathCheck,
      }),
    ],
  },
  {
    name: 'group',
    overloads: [
      method('authorizer_group', [[AUTHORIZER_TYPE, STRING], GROUP_CHECK_TYPE], {
        about: 'The first part of a check for a resource: the API group, empty for the core group.',
        evaluate: (authorizer, group) => new GroupCheck(authorizer, group),
      }),
    ],
  },
  {
    name: 'serviceAccount',
    overloads: [
      method('authorizer_serviceaccount', [[AUTHORIZER_TYPE, STRING, STRING], AUTHORIZER_TYPE], {
        about: 'Checks permissions of a service account, given by namespace and name, instead of the user.',
        evaluate: serviceAccount,
      }),
    ],
  },
  {
    name: 'resource',
    overloads: [
      method('groupcheck_resource', [[GROUP_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE], {
        about: 'A check for a resource of the group, by its plural name; an error if empty.',
        evaluate: resourceCheck,
      }),
    ],
  },
];

const DETAILS: readonly FunctionDeclaration[] = [
  {
    name: 'subresource',
    overloads: [
      method('resourcecheck_subresource', [[RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE], {
        about: 'The check for a subresource instead.',
        evaluate: (check, subresource) => check.with({ subresource }),
      }),
    ],
  },
  {
    name: 'namespace',
    overloads: [
      method('resourcecheck_namespace', [[RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE], {
        about: 'The check in a namespace; without it, for the whole cluster.',
        evaluate: (check, namespace) => check.with({ namespace }),
      }),
    ],
  },
  {
    name: 'name',
    overloads: [
      method('resourcecheck_name', [[RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE], {
        about: 'The check for one object.',
        evaluate: (check, name) => check.with({ name }),
      }),
    ],
  },
];

/** Attributes introduced later. */
const SELECTORS: readonly FunctionDeclaration[] = [
  {
    name: 'fieldSelector',
    overloads: [
      method('authorizer_fieldselector', [[RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE], {
        about: 'The check for the objects that a field selector matches; an invalid one is ignored.',
        evaluate: (check, fieldSelector) => check.with({ fieldSelector }),
        ...SELECTOR_COSTS,
      }),
    ],
  },
  {
    name: 'labelSelector',
    overloads: [
      method('authorizer_labelselector', [[RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE], {
        about: 'The check for the objects that a label selector matches; an invalid one is ignored.',
        evaluate: (check, labelSelector) => check.with({ labelSelector }),
        ...SELECTOR_COSTS,
      }),
    ],
  },
];

const ANSWERS: readonly FunctionDeclaration[] = [
  {
    name: 'check',
    overloads: [
      method('pathcheck_check', [[PATH_CHECK_TYPE, STRING], DECISION_TYPE], {
        about: 'Checks whether an HTTP method, in lower case, is allowed.',
        evaluate: (check, verb) => check.ask(verb),
        ...CHECK_COSTS,
      }),
      method('resourcecheck_check', [[RESOURCE_CHECK_TYPE, STRING], DECISION_TYPE], {
        about: 'Checks whether a verb is allowed.',
        evaluate: (check, verb) => check.ask(verb),
        ...CHECK_COSTS,
      }),
    ],
  },
  {
    name: 'allowed',
    overloads: [
      method('decision_allowed', [[DECISION_TYPE], BOOL], {
        about: 'Whether it is allowed.',
        evaluate: ({ answer }) => answer.allowed,
      }),
    ],
  },
  {
    name: 'reason',
    overloads: [
      method('decision_reason', [[DECISION_TYPE], STRING], {
        about: 'The reason of the decision.',
        evaluate: ({ answer }) => answer.reason,
      }),
    ],
  },
  {
    name: 'errored',
    overloads: [
      method('decision_errored', [[DECISION_TYPE], BOOL], {
        about: 'Whether the decision failed.',
        evaluate: ({ answer }) => answer.error !== undefined,
      }),
    ],
  },
  {
    name: 'error',
    overloads: [
      method('decision_error', [[DECISION_TYPE], STRING], {
        about: 'The error, or the empty string.',
        evaluate: ({ answer }) => answer.error ?? '',
      }),
    ],
  },
];

export const AUTHORIZER: Library = Object.freeze({
  name: 'authorizer',
  equality: equalityAtOneCost(AUTHORIZER_TYPE, PATH_CHECK_TYPE, GROUP_CHECK_TYPE, RESOURCE_CHECK_TYPE, DECISION_TYPE),
  functions: [...QUESTIONS, ...DETAILS, ...ANSWERS],
});

/** Checks with selectors. */
export const AUTHORIZER_SELECTORS: Library = Object.freeze({ name: 'authorizer selectors', functions: SELECTORS });
