// Validation of FlowSchemas and PriorityLevelConfigurations. Two of each are fixed.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { labelFaults, subdomainFaults } from '../../../api/names.ts';
import type { JsonObject } from '../../../api/object.ts';
import { remembering } from '../../../base/resumed.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { flowSchemas, priorityLevels } from '../../bootstrap/flow-control.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { faultErrors, validateChoice, validateItems, validateRequired } from '../../validation/field-rules.ts';
import { FLOW_SCHEMA_SPEC, inGoForm, PRIORITY_LEVEL_SPEC } from '../../validation/go-form.ts';
import { numberAt } from '../../value.ts';
import type {
  ExemptPriorityLevelConfiguration,
  FlowSchema,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
  ResourcePolicyRule,
  Subject,
} from './v1-objects.ts';

/** Limited levels without a share exist from this minor release on, and before it behind a gate. */
const SHARES_MAY_BE_NONE = 30;
const NO_SHARES = 'ZeroLimitedNominalConcurrencyShares';
const MAX_PRECEDENCE = 10_000;
const MAX_QUEUES = 10_000_000;
const MAX_ENTROPY_BITS = 60;
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
/** The fixed ones. */
const FIXED = ['exempt', 'catch-all'];

function validateFixed(
  object: FlowSchema | PriorityLevelConfiguration,
  fixed: () => { name: string; spec: JsonObject }[],
): FieldError[] {
  const { name = '' } = object.metadata;
  if (!FIXED.includes(name)) return [];
  const own = fixed().find((each) => each.name === name);
  if (own === undefined) return [];
  // How much the exempt level has, and lends, is up to the administrator.
  const free = object.kind === 'PriorityLevelConfiguration' && name === 'exempt' ? { exempt: own.spec['exempt'] } : {};
  if (equalJson(own.spec, { ...object.spec, ...free })) return [];
  const except = 'exempt' in free ? " except the 'spec.exempt' field" : '';
  const said = inGoForm(object['spec'], object.kind === 'FlowSchema' ? FLOW_SCHEMA_SPEC : PRIORITY_LEVEL_SPEC);
  return [fieldError.invalid('spec', said, `spec of '${name}'${except} must equal the fixed value`)];
}

function validateFlowSchema(schema: FlowSchema): FieldError[] {
  const { spec } = schema;
  const precedence = spec?.matchingPrecedence ?? 0;
  const level = spec?.priorityLevelConfiguration?.name ?? '';
  const method = spec?.distinguisherMethod;
  const found: FieldError[] = [];
  const refuse = (why: string) => found.push(fieldError.invalid('spec.matchingPrecedence', precedence, why));
  if (precedence <= 0) refuse('must be a positive value');
  if (precedence > MAX_PRECEDENCE) refuse(`must not be greater than ${MAX_PRECEDENCE}`);
  if (precedence === 1 && schema.metadata.name !== 'exempt') {
    refuse("only the schema named 'exempt' may have matchingPrecedence 1");
  }
  const methods = ['ByNamespace', 'ByUser'];
  if (method !== undefined && !methods.includes(method.type ?? '')) {
    found.push(
      fieldError.notSupported('spec.distinguisherMethod.type', inGoForm(method, { Type: ['type', ''] }), methods),
    );
  }
  const levelField = 'spec.priorityLevelConfiguration.name';
  if (level === '') found.push(fieldError.required(levelField, 'must reference a priority level'));
  else found.push(...faultErrors(subdomainFaults(level), level, levelField));
  found.push(...validateItems(spec?.rules ?? [], 'spec.rules', validateRule));
  return [...found, ...validateFixed(schema, flowSchemas)];
}

function validateRule(rule: PolicyRulesWithSubjects, field: string): FieldError[] {
  const subjects = rule.subjects ?? [];
  const [resources, others] = [rule.resourceRules ?? [], rule.nonResourceRules ?? []];
  const found =
    subjects.length === 0
      ? [fieldError.required(`${field}.subjects`, 'subjects must contain at least one value')]
      : validateItems(subjects, `${field}.subjects`, validateSubject);
  if (resources.length === 0 && others.length === 0) {
    const why = 'at least one of resourceRules and nonResourceRules has to be non-empty';
    found.push(fieldError.required(field, why));
  }
  return [
    ...found,
    ...validateItems(resources, `${field}.resourceRules`, validateResourceRule),
    ...validateItems(others, `${field}.nonResourceRules`, validateNonResourceRule),
  ];
}

/** A kind of subject and the corresponding field. */
const SUBJECTS = [
  { kind: 'ServiceAccount', member: 'serviceAccount' },
  { kind: 'User', member: 'user' },
  { kind: 'Group', member: 'group' },
] as const;

function validateSubject(subject: Subject, field: string): FieldError[] {
  const kind = subject.kind ?? '';
  const own = SUBJECTS.find((each) => each.kind === kind);
  if (own === undefined) return validateChoice(kind, ['Group', 'ServiceAccount', 'User'], `${field}.kind`);
  const here = `${field}.${own.member}`;
  const named = subject[own.member];
  const found =
    named !== undefined
      ? validateSubjectName(named, here, own.member)
      : [fieldError.required(here, `${own.member} is required when subject kind is '${kind}'`)];
  for (const other of SUBJECTS) {
    if (other === own || subject[other.member] === undefined) continue;
    const why = `${other.member} is forbidden when subject kind is not '${other.kind}'`;
    found.push(fieldError.forbidden(`${field}.${other.member}`, why));
  }
  return found;
}

function validateSubjectName(
  named: { readonly namespace?: string; readonly name?: string },
  field: string,
  member: string,
): FieldError[] {
  const name = named.name ?? '';
  const found = validateRequired(name, `${field}.name`);
  if (member !== 'serviceAccount') return found;
  if (name !== '' && name !== '*') found.push(...faultErrors(subdomainFaults(name), name, `${field}.name`));
  const namespace = named.namespace ?? '';
  const here = `${field}.namespace`;
  if (namespace === '') return [...found, fieldError.required(here, 'must specify namespace for service account')];
  return [...found, ...faultErrors(labelFaults(namespace), namespace, here)];
}

interface ListRule {
  readonly field: string;
  readonly missing: string;
  /** What cannot be combined with a wildcard, in the plural. */
  readonly others: string;
}

/** A list of values, or a single wildcard. */
function validateWildcardList(items: readonly string[], { field, missing, others }: ListRule): FieldError[] {
  if (items.length === 0) return [fieldError.required(field, missing)];
  if (items.length === 1 || !items.includes('*')) return [];
  return [fieldError.invalid(field, items, `if '*' is present, must not specify other ${others}`)];
}

function validateVerbs(rule: { readonly verbs?: readonly string[] | null }, field: string): FieldError[] {
  const verbs = rule.verbs ?? [];
  const here = `${field}.verbs`;
  const missing = 'verbs must contain at least one value';
  const found = validateWildcardList(verbs, { field: here, missing, others: 'verbs' });
  if (verbs.includes('*') || verbs.every((verb) => VERBS.includes(String(verb)))) return found;
  return [fieldError.notSupported(here, verbs, VERBS)];
}

function validateResourceRule(rule: ResourcePolicyRule, field: string): FieldError[] {
  const namespaces = rule.namespaces ?? [];
  const here = `${field}.namespaces`;
  const found = [
    ...validateVerbs(rule, field),
    ...validateWildcardList(rule.apiGroups ?? [], {
      field: `${field}.apiGroups`,
      missing: 'resource rules must supply at least one api group',
      others: 'api groups',
    }),
    ...validateWildcardList(rule.resources ?? [], {
      field: `${field}.resources`,
      missing: 'resource rules must supply at least one resource',
      others: 'resources',
    }),
  ];
  if (namespaces.length === 0) {
    if (rule.clusterScope === true) return found;
    const why = 'resource rules that are not cluster scoped must supply at least one namespace';
    return [...found, fieldError.required(here, why)];
  }
  if (namespaces.includes('*')) {
    return [...found, ...validateWildcardList(namespaces, { field: here, missing: '', others: 'namespaces' })];
  }
  const words = "each member of this list must be '*' or a DNS-1123 label; ";
  return [
    ...found,
    ...validateItems(namespaces, here, (namespace, path) =>
      labelFaults(String(namespace)).map((fault) => fieldError.invalid(path, namespace, words + fault)),
    ),
  ];
}

function validateNonResourceRule(rule: NonResourcePolicyRule, field: string): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const here = `${field}.nonResourceURLs`;
  const missing = 'nonResourceURLs must contain at least one value';
  const found = [
    ...validateVerbs(rule, field),
    ...validateWildcardList(urls, { field: here, missing, others: 'non-resource URLs' }),
  ];
  if (urls.includes('*')) return found;
  return [...found, ...validateItems(urls, here, (url, path) => faultErrors(urlFaults(String(url)), url, path))];
}

function urlFaults(path: string): string[] {
  if (path === '') return ['must not be empty'];
  if (path === '/') return [];
  if (!path.startsWith('/')) return ['must start with slash'];
  if (path.includes(' ')) return ['must not contain white-space'];
  if (path.includes('//')) return ['must not contain double slash'];
  const wildcard = path.indexOf('*');
  return wildcard < 0 || (wildcard === path.length - 1 && path.endsWith('/*'))
    ? []
    : ['wildcard can only do suffix matching'];
}

function validateStatusConditions(object: FlowSchema | PriorityLevelConfiguration): FieldError[] {
  return remembering(
    () => new Set<string>(),
    (seen) =>
      validateItems(object.status?.conditions ?? [], 'status.conditions', (condition, field) => {
        const type = condition.type ?? '';
        const repeated = seen.has(type) ? [fieldError.duplicate(`${field}.type`, type)] : [];
        seen.add(type);
        return [...repeated, ...validateRequired(type, `${field}.type`)];
      }),
  );
}

export const flowSchemaRules: KindRules<FlowSchema> = {
  checks: { update: ['metadata', 'content'] },
  validate: validateFlowSchema,
  subresources: { status: { validateUpdate: validateStatusConditions } },
};

function validatePriorityLevel(level: PriorityLevelConfiguration, context: StrategyContext): FieldError[] {
  const { spec } = level;
  const type = spec?.type ?? '';
  const { name = '' } = level.metadata;
  const found: FieldError[] = [];
  if ((name === 'exempt') !== (type === 'Exempt')) {
    found.push(fieldError.invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'"));
  }
  found.push(...validateLevelOfType(spec, type, context));
  return [...found, ...validateFixed(level, priorityLevels)];
}

function validateLevelOfType(
  spec: PriorityLevelConfigurationSpec | undefined,
  type: string,
  context: StrategyContext,
): FieldError[] {
  const [limited, exempt] = [spec?.limited, spec?.exempt];
  switch (type) {
    case 'Exempt':
      return [
        ...(limited !== undefined
          ? [fieldError.forbidden('spec.limited', 'must be nil if the type is not Limited')]
          : []),
        ...(exempt !== undefined ? validateShares(exempt, 'spec.exempt') : []),
      ];
    case 'Limited':
      return [
        ...(exempt !== undefined ? [fieldError.forbidden('spec.exempt', 'must be nil if the type is Limited')] : []),
        ...(limited !== undefined
          ? validateLimited(limited, 'spec.limited', context)
          : [fieldError.required('spec.limited', 'must not be empty when type is Limited')]),
      ];
    case '':
      if (isSince(context, 36)) return [fieldError.required('spec.type')];
      break;
  }
  return [fieldError.notSupported('spec.type', type, ['Exempt', 'Limited'])];
}

function validateShares(
  level: ExemptPriorityLevelConfiguration | LimitedPriorityLevelConfiguration,
  field: string,
): FieldError[] {
  const shares = level.nominalConcurrencyShares ?? 0;
  if (shares >= 0) return validateLendable(level, field);
  const why = 'must be a non-negative integer';
  return [fieldError.invalid(`${field}.nominalConcurrencyShares`, shares, why), ...validateLendable(level, field)];
}

function validateLendable(
  level: ExemptPriorityLevelConfiguration | LimitedPriorityLevelConfiguration,
  field: string,
): FieldError[] {
  const percent = level.lendablePercent ?? 0;
  if (percent >= 0 && percent <= 100) return [];
  return [fieldError.invalid(`${field}.lendablePercent`, percent, 'must be between 0 and 100, inclusive')];
}

function validateLimited(
  limited: LimitedPriorityLevelConfiguration,
  field: string,
  context: StrategyContext,
): FieldError[] {
  const shares = limited.nominalConcurrencyShares ?? 0;
  const borrowing = limited.borrowingLimitPercent ?? 0;
  const found: FieldError[] = [];
  const takesNone = isSince(context, SHARES_MAY_BE_NONE) || context.gateEnabled(NO_SHARES);
  if (shares < 0 || (shares === 0 && !takesNone)) {
    const why = takesNone ? 'must be a non-negative integer' : 'must be positive';
    found.push(fieldError.invalid(`${field}.nominalConcurrencyShares`, shares, why));
  }
  found.push(...validateLimitResponse(limited.limitResponse, `${field}.limitResponse`, context));
  found.push(...validateLendable(limited, field));
  if (borrowing >= 0) return found;
  const why = 'if specified, must be a non-negative integer';
  return [...found, fieldError.invalid(`${field}.borrowingLimitPercent`, borrowing, why)];
}

function validateLimitResponse(
  response: LimitResponse | undefined,
  field: string,
  context: StrategyContext,
): FieldError[] {
  const queuing = response?.queuing;
  const here = `${field}.queuing`;
  switch (response?.type ?? '') {
    case 'Reject': {
      const why = 'must be nil if limited.limitResponse.type is not Limited';
      return queuing !== undefined ? [fieldError.forbidden(here, why)] : [];
    }
    case 'Queue': {
      const why = 'must not be empty if limited.limitResponse.type is Limited';
      return queuing !== undefined ? validateQueuing(queuing, here) : [fieldError.required(here, why)];
    }
    case '':
      if (isSince(context, 36)) return [fieldError.required(`${field}.type`)];
      break;
  }
  return validateChoice(response?.type ?? '', ['Queue', 'Reject'], `${field}.type`);
}

function validateQueuing(queuing: QueuingConfiguration, field: string): FieldError[] {
  const [queues, hand, length] = ['queues', 'handSize', 'queueLengthLimit'].map((each) => numberAt(queuing, each)) as [
    number,
    number,
    number,
  ];
  const found: FieldError[] = [];
  const refuse = (member: string, value: number, why: string) =>
    found.push(fieldError.invalid(`${field}.${member}`, value, why));
  if (length <= 0) refuse('queueLengthLimit', length, 'must be positive');
  if (queues <= 0) refuse('queues', queues, 'must be positive');
  else if (queues > MAX_QUEUES) refuse('queues', queues, `must not be greater than ${MAX_QUEUES}`);
  if (hand <= 0) refuse('handSize', hand, 'must be positive');
  else if (hand > queues) refuse('handSize', hand, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * hand) > MAX_ENTROPY_BITS) {
    const why = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${MAX_ENTROPY_BITS}`;
    refuse('handSize', hand, why);
  }
  return found;
}

export const priorityLevelRules: KindRules<PriorityLevelConfiguration> = {
  checks: { update: ['metadata', 'content'] },
  validate: validatePriorityLevel,
  subresources: { status: { validateUpdate: validateStatusConditions } },
};
