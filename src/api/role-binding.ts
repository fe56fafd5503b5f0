// Role bindings: whom each gives which role. It knows neither rules nor users.

import type { ApiObject, JsonObject } from './object.ts';

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  /** Of a service account. */
  readonly namespace: string;
}

export interface Binding {
  readonly name: string;
  /** Empty for cluster role bindings. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

const ACCOUNT_PREFIX = 'system:serviceaccount:';

/** The name by which a binding's subject is found: service accounts are users of a certain name. */
export function subjectKey({ kind, name, namespace }: Subject): string {
  return kind === 'ServiceAccount' ? `${ACCOUNT_PREFIX}${namespace}:${name}` : name;
}

/** What a binding object says. Subjects of kinds that do not exist name nobody. */
export function bindingOf(object: ApiObject): Binding {
  const { name = '', namespace = '' } = object.metadata;
  const roleRef = (object['roleRef'] ?? {}) as JsonObject;
  const subjects = Array.isArray(object['subjects']) ? (object['subjects'] as JsonObject[]) : [];
  return {
    name,
    namespace,
    roleRef: { kind: text(roleRef['kind']), name: text(roleRef['name']) },
    subjects: subjects.flatMap((subject) => {
      const kind = subject['kind'];
      if (kind !== 'User' && kind !== 'Group' && kind !== 'ServiceAccount') return [];
      return [{ kind, name: text(subject['name']), namespace: text(subject['namespace']) || namespace }];
    }),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
