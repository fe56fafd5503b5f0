// Role bindings: subjects and roles. Independent of rules and users.

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
  /** Empty for ClusterRoleBindings. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

const ACCOUNT_PREFIX = 'system:serviceaccount:';

/** The username or group of a subject: service accounts are users with certain names. */
export function subjectKey({ kind, name, namespace }: Subject): string {
  return kind === 'ServiceAccount' ? `${ACCOUNT_PREFIX}${namespace}:${name}` : name;
}

/** The content of a binding object. Subjects of unknown kinds match nobody. */
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
