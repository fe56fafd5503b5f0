// Index of roles and bindings for decisions: bindings by subject, roles by name. Its owner reports each change of the
// objects.

import type { ApiObject } from '../../api/object.ts';
import { type PolicyRule, rulesOf } from '../../api/policy-rule.ts';
import { type Binding, bindingOf, type RoleRef, type Subject, subjectKey } from '../../api/role-binding.ts';
import type { User } from '../user.ts';

export type RbacKind = 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding';

/** Bindings of one scope. */
class BindingSet {
  readonly #byName = new Map<string, Binding>();
  readonly #byUser = new Map<string, Binding[]>();
  readonly #byGroup = new Map<string, Binding[]>();

  get empty(): boolean {
    return this.#byName.size === 0;
  }

  set(binding: Binding): void {
    this.delete(binding.name);
    this.#byName.set(binding.name, binding);
    for (const subject of binding.subjects) {
      const index = this.#indexOf(subject);
      const bindings = index.get(subjectKey(subject));
      if (bindings === undefined) index.set(subjectKey(subject), [binding]);
      else if (!bindings.includes(binding)) bindings.push(binding);
    }
  }

  delete(name: string): void {
    const binding = this.#byName.get(name);
    if (binding === undefined) return;
    this.#byName.delete(name);
    for (const subject of binding.subjects) {
      const index = this.#indexOf(subject);
      const left = index.get(subjectKey(subject))?.filter((each) => each !== binding) ?? [];
      if (left.length === 0) index.delete(subjectKey(subject));
      else index.set(subjectKey(subject), left);
    }
  }

  #indexOf(subject: Subject): Map<string, Binding[]> {
    return subject.kind === 'Group' ? this.#byGroup : this.#byUser;
  }

  /** The first binding of the user for which `visit` returns true; undefined if there is none. */
  find(user: User, visit: (binding: Binding) => boolean): Binding | undefined {
    const own = this.#byUser.get(user.name);
    if (own !== undefined) for (const binding of own) if (visit(binding)) return binding;
    for (const group of user.groups) {
      const bindings = this.#byGroup.get(group);
      if (bindings !== undefined) for (const binding of bindings) if (visit(binding)) return binding;
    }
    return undefined;
  }
}

export class RoleIndex {
  readonly #clusterBindings = new BindingSet();
  readonly #bindings = new Map<string, BindingSet>();
  readonly #clusterRoles = new Map<string, readonly PolicyRule[]>();
  /** By `namespace/name`. */
  readonly #roles = new Map<string, readonly PolicyRule[]>();

  /** An object was added or changed. */
  set(kind: RbacKind, object: ApiObject): void {
    const { name = '', namespace = '' } = object.metadata;
    if (kind === 'ClusterRole') this.#clusterRoles.set(name, rulesOf(object));
    else if (kind === 'Role') this.#roles.set(`${namespace}/${name}`, rulesOf(object));
    else if (kind === 'ClusterRoleBinding') this.#clusterBindings.set(bindingOf(object));
    else {
      let bindings = this.#bindings.get(namespace);
      if (bindings === undefined) this.#bindings.set(namespace, (bindings = new BindingSet()));
      bindings.set(bindingOf(object));
    }
  }

  /** An object was removed. */
  delete(kind: RbacKind, namespace: string, name: string): void {
    if (kind === 'ClusterRole') this.#clusterRoles.delete(name);
    else if (kind === 'Role') this.#roles.delete(`${namespace}/${name}`);
    else if (kind === 'ClusterRoleBinding') this.#clusterBindings.delete(name);
    else {
      const bindings = this.#bindings.get(namespace);
      bindings?.delete(name);
      if (bindings?.empty) this.#bindings.delete(namespace);
    }
  }

  /** The rules of the role that a binding in this namespace ('' for cluster scope) refers to. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return kind === 'ClusterRole' ? this.#clusterRoles.get(name) : this.#roles.get(`${namespace}/${name}`);
  }

  /**
   * The first binding of the user for which `visit` returns true: ClusterRoleBindings first, then those of the
   * namespace. A binding that names the user several times may be visited repeatedly.
   */
  find(user: User, namespace: string, visit: (binding: Binding) => boolean): Binding | undefined {
    const found = this.#clusterBindings.find(user, visit);
    if (found !== undefined || namespace === '') return found;
    return this.#bindings.get(namespace)?.find(user, visit);
  }
}

/** The first subject of a binding that matches this user. */
export function subjectFor({ subjects }: Binding, user: User): Subject | undefined {
  return subjects.find((subject) =>
    subject.kind === 'Group' ? user.groups.includes(subject.name) : subjectKey(subject) === user.name,
  );
}
