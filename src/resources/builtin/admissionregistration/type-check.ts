// Type checking of a ValidatingAdmissionPolicy's expressions against the kinds that its rules match: errors are
// reported in the policy's status.

import { parseApiVersion } from '../../../api/group-version.ts';
import type { JsonObject } from '../../../api/object.ts';
import { issuesText } from '../../../cel/syntax/issue-text.ts';
import { admissionEnvironments, VariableTypes } from '../../../expressions/admission-environment.ts';
import { STORED_EXPRESSIONS } from '../../../expressions/environments.ts';
import { NodeTypes } from '../../../expressions/node-types.ts';
import type { StructNode } from '../../../schema/node.ts';
import type { Catalog } from '../../catalog.ts';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicySpec } from './v1-objects.ts';

/** Maximum number of kinds a policy is checked against, as in Kubernetes. */
const MAX_KINDS = 10;

interface CheckedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: StructNode;
}

/** `expressionWarnings` of the status; empty if everything type-checks. */
export function typeWarnings({ spec }: ValidatingAdmissionPolicy, catalog: Catalog): JsonObject[] {
  const checks = kindsOf(spec, catalog).map((kind) => new KindCheck(kind, { spec, catalog }));
  const warning = (text: string, fieldRef: string): JsonObject[] => {
    const found = checks.map((check) => check.warning(text)).filter((each) => each !== '');
    return text === '' || found.length === 0 ? [] : [{ fieldRef, warning: found.join('\n') }];
  };
  return (spec?.validations ?? []).flatMap((validation, index) =>
    (['expression', 'messageExpression'] as const).flatMap((member) =>
      warning(validation[member] ?? '', `spec.validations[${index}].${member}`),
    ),
  );
}

/** The first kinds that rules match, sorted by name. Rules with `*` match none. */
function kindsOf(spec: ValidatingAdmissionPolicySpec | undefined, catalog: Catalog): CheckedKind[] {
  const kinds = new Map<string, CheckedKind>();
  for (const each of namedKinds(spec, catalog)) {
    kinds.set(`${each.group}\n${each.version}\n${each.kind}`, each);
    if (kinds.size === MAX_KINDS) break;
  }
  return [...kinds].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, kind]) => kind);
}

function* namedKinds(spec: ValidatingAdmissionPolicySpec | undefined, catalog: Catalog): Iterable<CheckedKind> {
  for (const rule of spec?.matchConstraints?.resourceRules ?? []) {
    const resources = sortedNames(rule.resources).filter((each) => !/[*/]/.test(each));
    for (const named of namedIn(rule.apiGroups)) {
      // In Kubernetes' lookup an empty group means any group: events belong to two.
      const groups = named === '' ? catalog.groups.map(({ group }) => group).sort() : [named];
      for (const version of namedIn(rule.apiVersions)) {
        for (const resource of resources) {
          for (const group of groups) {
            const definition = catalog.find(group, resource);
            const served = definition?.versions.find((each) => each.version === version);
            if (definition === undefined || served === undefined) continue;
            yield { group, version, kind: definition.kind, schema: served.schema };
          }
        }
      }
    }
  }
}

function sortedNames(names: readonly string[] | undefined): string[] {
  return [...(names ?? [])].sort();
}

function namedIn(all: readonly string[] | undefined): string[] {
  const names = sortedNames(all);
  return names.some((each) => each.includes('*')) ? [] : names;
}

/** Checks expressions against one kind. */
class KindCheck {
  readonly #name: string;
  readonly #environments: ReturnType<typeof admissionEnvironments>;

  constructor(
    { group, version, kind, schema }: CheckedKind,
    policy: { spec: ValidatingAdmissionPolicySpec | undefined; catalog: Catalog },
  ) {
    this.#name = `${group}/${version}, Kind=${kind}`;
    const params = paramsSchema(policy.spec, policy.catalog);
    const variables = new VariableTypes();
    const scope = {
      hasParams: params !== undefined,
      hasAuthorizer: true,
      kinds: {
        object: new NodeTypes(schema, `object.${kind}`),
        params: params && new NodeTypes(params, 'params'),
      },
    };
    this.#environments = admissionEnvironments(STORED_EXPRESSIONS, scope, variables);
    for (const variable of policy.spec?.variables ?? []) {
      const text = variable.expression ?? '';
      variables.add(variable.name ?? '', this.#environments.for(text).compile(text).checked?.type);
    }
  }

  /** '' for an expression that type-checks. */
  warning(text: string): string {
    const { checked, source, issues } = this.#environments.for(text).compile(text);
    return checked === undefined ? `${this.#name}: ${issuesText(source, issues)}\n` : '';
  }
}

function paramsSchema(spec: ValidatingAdmissionPolicySpec | undefined, catalog: Catalog): StructNode | undefined {
  const named = spec?.paramKind;
  const parsed = named && parseApiVersion(named.apiVersion ?? '');
  if (parsed === undefined) return undefined;
  const { versions = [] } = catalog.groups.find((each) => each.group === parsed.group) ?? {};
  const { entries = [] } = versions.find((each) => each.version === parsed.version) ?? {};
  const definition = entries.find((entry) => entry.definition.kind === (named?.kind ?? ''))?.definition;
  return definition?.versions.find((each) => each.version === parsed.version)?.schema;
}
