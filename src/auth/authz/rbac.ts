// RBAC authorizer: a request is allowed by the first matching rule of a role bound to its user. There are no deny
// rules. Members of system:masters may do everything.

import { type PolicyRule, ruleAllows } from '../../api/policy-rule.ts';
import type { Binding, RoleRef, Subject } from '../../api/role-binding.ts';
import { errorList } from '../../base/error-list.ts';
import { goQuote } from '../../base/go-quote.ts';
import { limits } from '../../base/limits.ts';
import { MASTERS, type User } from '../user.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';
import { type RoleIndex, subjectFor } from './role-index.ts';

/** All rules of a user in a namespace. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  /** Missing roles in bindings: `role.rbac.authorization.k8s.io "x" not found`. */
  readonly errors: readonly string[];
  /** Whether other authorizers may allow more than is known. */
  readonly incomplete?: boolean;
}

const MASTERS_ALLOWED: Decision = Object.freeze({ allowed: true, reason: '' });
const DENIED: Decision = Object.freeze({ allowed: false, reason: '' });

export class RbacAuthorizer implements Authorizer {
  readonly #index: RoleIndex;

  constructor(index: RoleIndex) {
    this.#index = index;
  }

  authorize(attributes: AuthorizationAttributes): Decision {
    const { user, namespace } = attributes;
    if (user.groups.includes(MASTERS)) return MASTERS_ALLOWED;
    let missing: string[] | undefined;
    const tried = new TriedRules();
    const granting = this.#index.find(user, attributes.isResourceRequest ? namespace : '', (binding) => {
      const rules = this.#index.rulesOf(binding.roleRef, binding.namespace);
      if (rules === undefined) {
        missing ??= [];
        missing.push(missingRole(binding.roleRef));
        return false;
      }
      if (tried.before(rules)) return false;
      for (const rule of rules) if (ruleAllows(rule, attributes)) return true;
      return false;
    });
    if (granting !== undefined) return new Grant(granting, user);
    return missing === undefined ? DENIED : { allowed: false, reason: `RBAC: ${errorList(missing)}` };
  }

  /**
   * The rules of a user in a namespace, '' for cluster scope only. As in kube-apiserver, those of a role are repeated for
   * each of its bindings, but only so many.
   */
  rulesFor(user: User, namespace: string): UserRules {
    const rules: PolicyRule[] = [];
    const errors: string[] = [];
    const seen = new Set<Binding>();
    const tried = new TriedRules();
    this.#index.find(user, namespace, (binding) => {
      if (seen.has(binding)) return false;
      seen.add(binding);
      const held = this.#index.rulesOf(binding.roleRef, binding.namespace);
      if (held === undefined) errors.push(missingRole(binding.roleRef));
      else if (!tried.before(held) || rules.length + held.length <= limits.repeatedRules) {
        for (const rule of held) rules.push(rule);
      }
      return false;
    });
    return { rules, errors };
  }

  /** The rules of a role referenced by a binding in this namespace; undefined if the role does not exist. */
  roleRules(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#index.rulesOf(roleRef, namespace);
  }
}

/** Rules of roles that were looked at: many bindings may refer to the same role. */
class TriedRules {
  #first: readonly PolicyRule[] | undefined;
  #others: Set<readonly PolicyRule[]> | undefined;

  /** Whether these have been looked at; they are from now on. */
  before(rules: readonly PolicyRule[]): boolean {
    if (this.#first === undefined || this.#first === rules) {
      const isKnown = this.#first === rules;
      this.#first = rules;
      return isKnown;
    }
    this.#others ??= new Set();
    const { size } = this.#others;
    return this.#others.add(rules).size === size;
  }
}

/** An allowing decision; its reason is only formatted when read. */
class Grant implements Decision {
  readonly allowed = true;
  readonly #binding: Binding;
  readonly #user: User;

  constructor(binding: Binding, user: User) {
    this.#binding = binding;
    this.#user = user;
  }

  get reason(): string {
    const { name, namespace, roleRef } = this.#binding;
    const subject = subjectFor(this.#binding, this.#user);
    const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
    const place = namespace === '' ? name : `${name}/${namespace}`;
    return `RBAC: allowed by ${kind} ${goQuote(place)} of ${roleRef.kind} ${goQuote(roleRef.name)} to ${subjectText(subject)}`;
  }
}

function subjectText(subject: Subject | undefined): string {
  if (subject === undefined) return '';
  const name = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace}` : subject.name;
  return `${subject.kind} ${goQuote(name)}`;
}

function missingRole({ kind, name }: RoleRef): string {
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${goQuote(name)} not found`;
}
