// Attribute-based access control (ABAC): policies in a file, one JSON object per line, of which the first match allows
// a request. Lines of the old format without a version apply to all groups.

import { parseJson } from '../../api/json-reader.ts';
import { notAnObject } from '../../api/not-an-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { PolicyRule } from '../../api/policy-rule.ts';
import { unregisteredKind } from '../../api/unregistered-kind.ts';
import { objectMember, textMember } from '../../api/untyped-members.ts';
import { parseYaml } from '../../api/yaml-reader.ts';
import { withoutTrailing } from '../../base/without-trailing.ts';
import { AUTHENTICATED, type User } from '../user.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';

interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const ALLOWED: Decision = Object.freeze({ allowed: true, reason: '' });
const NO_OPINION: Decision = Object.freeze({ allowed: false, reason: 'No policy matched.' });
const READS = ['get', 'list', 'watch'];

export class AbacAuthorizer implements Authorizer {
  readonly #policies: readonly AbacPolicy[];

  private constructor(policies: readonly AbacPolicy[]) {
    this.#policies = policies;
  }

  /** Reads a file of policies. @param path for errors @throws Error with the invalid line */
  static async read(path: string, text: string): Promise<AbacAuthorizer> {
    const policies: AbacPolicy[] = [];
    for (const [index, line] of text.split('\n').entries()) {
      const trimmed = line.trim();
      if (trimmed === '' || trimmed.startsWith('#')) continue;
      try {
        policies.push(policyOf(await parsed(trimmed)));
      } catch (error) {
        const why = `error reading policy file ${path}, line ${index + 1}: ${line}: ${(error as Error).message}`;
        throw new Error(why, { cause: error });
      }
    }
    return new AbacAuthorizer(policies);
  }

  authorize(attributes: AuthorizationAttributes): Decision {
    return this.#policies.some((policy) => fits(policy, attributes)) ? ALLOWED : NO_OPINION;
  }

  /** The rules that policies give a user in a namespace. */
  rulesFor(user: User, namespace: string): readonly PolicyRule[] {
    return this.#policies.flatMap((policy) => {
      if (!isSubject(policy, user) || (policy.namespace !== '*' && policy.namespace !== namespace)) return [];
      const verbs = policy.readonly ? READS : ['*'];
      const rules: PolicyRule[] = [];
      const nothing = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
      if (policy.resource !== '') {
        rules.push({ ...nothing, verbs, apiGroups: [policy.apiGroup], resources: [policy.resource] });
      }
      if (policy.nonResourcePath !== '') {
        rules.push({ ...nothing, verbs, nonResourceURLs: [policy.nonResourcePath] });
      }
      return rules;
    });
  }
}

/** A line that does not begin with a brace is YAML. */
async function parsed(line: string): Promise<Json> {
  if (!line.startsWith('{')) return (await parseYaml(line)).value;
  try {
    return parseJson(line);
  } catch (error) {
    throw new Error(`couldn't get version/kind; json parse error: ${(error as Error).message}`, { cause: error });
  }
}

function policyOf(value: Json): AbacPolicy {
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error(notAnObject(value));
  const line = (value ?? {}) as JsonObject;
  const { apiVersion = '', kind = '' } = line;
  if (apiVersion === '' || kind === '') return oldPolicy(line);
  if (apiVersion !== 'abac.authorization.kubernetes.io/v1beta1' || kind !== 'Policy') {
    throw new Error(unregisteredKind(String(kind), String(apiVersion)));
  }
  const spec = objectMember(line, 'spec');
  return {
    user: textOf(spec, 'user'),
    group: textOf(spec, 'group'),
    readonly: isReadonly(spec),
    apiGroup: textOf(spec, 'apiGroup'),
    resource: textOf(spec, 'resource'),
    namespace: textOf(spec, 'namespace'),
    nonResourcePath: textOf(spec, 'nonResourcePath'),
  };
}

/** In the old format absent fields match everything. */
function oldPolicy(line: JsonObject): AbacPolicy {
  const [user, group, resource, namespace] = ['user', 'group', 'resource', 'namespace'].map((name) =>
    textOf(line, name),
  ) as [string, string, string, string];
  const isAnybody = (user === '' && group === '') || user === '*' || group === '*';
  return {
    user: isAnybody ? '' : user,
    group: isAnybody ? AUTHENTICATED : group,
    readonly: isReadonly(line),
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: resource === '' && namespace === '' ? '*' : '',
  };
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  if (value !== undefined && value !== null && typeof value !== 'string') {
    throw new Error(`json: cannot unmarshal ${typeof value} into Go struct field Policy.${name} of type string`);
  }
  return textMember(object, name);
}

function isReadonly(object: JsonObject): boolean {
  const value = object['readonly'] ?? false;
  if (typeof value === 'boolean') return value;
  throw new Error(`json: cannot unmarshal ${typeof value} into Go struct field Policy.readonly of type bool`);
}

function fits(policy: AbacPolicy, attributes: AuthorizationAttributes): boolean {
  const { user, verb, isResourceRequest, path, namespace, resource, group } = attributes;
  if (!isSubject(policy, user) || (policy.readonly && !READS.includes(verb))) return false;
  const is = (wanted: string, own: string) => wanted === '*' || wanted === own;
  if (isResourceRequest) {
    return is(policy.namespace, namespace) && is(policy.resource, resource) && is(policy.apiGroup, group);
  }
  const wanted = policy.nonResourcePath;
  return is(wanted, path) || (wanted.endsWith('*') && path.startsWith(withoutTrailing(wanted, '*')));
}

/** Both user and group must match if the policy names them; a policy that names neither matches nobody. */
function isSubject({ user, group }: AbacPolicy, { name, groups }: User): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === '*' || user === name) && (group === '' || group === '*' || groups.includes(group));
}
