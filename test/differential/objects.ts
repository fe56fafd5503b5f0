// Paths and names of built-in objects, as the areas make them.

import type { RequestStep } from '../conformance/scenario.ts';
import type { Body, Kind } from './bodies.ts';
import type { Session } from './session.ts';

/** Kinds that judge, route or fill in the writes of others: one that is stored is alone. */
const judging = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicybindings',
  'customresourcedefinitions',
  'apiservices',
  'priorityclasses',
  'storageclasses',
  'ingressclasses',
  'runtimeclasses',
  'servicecidrs',
  'ipaddresses',
  'flowschemas',
  'prioritylevelconfigurations',
  'limitranges',
  'resourcequotas',
  'clusterrolebindings',
  'clusterroles',
  'namespaces',
]);

/** Kinds whose names mean something. */
const namedByRule = new Set(['customresourcedefinitions', 'apiservices', 'ipaddresses']);

export function isJudging({ definition }: Kind): boolean {
  return judging.has(definition.resource);
}

/** Kinds of whose new objects the server itself writes the status a moment later, and the condition that comes last. */
const settling: Readonly<Record<string, string>> = {
  flowschemas: 'Dangling',
  apiservices: 'Available',
  customresourcedefinitions: 'Established',
};

/** Whether the server writes the status of its objects. */
export function isSettling({ definition }: Kind): boolean {
  return Object.hasOwn(settling, definition.resource);
}

/** Waits until a new object has the status that the server gives it; what it is then, undefined where nothing comes. */
export async function settled(session: Session, kind: Kind, read: RequestStep): Promise<unknown> {
  const condition = settling[kind.definition.resource];
  if (condition === undefined) return undefined;
  await session.until(read, (status, body) => {
    const { conditions } = ((body as Body | undefined)?.['status'] ?? {}) as {
      conditions?: { type?: string }[] | null;
    };
    return status === 404 || (conditions ?? []).some(({ type }) => type === condition);
  });
  return (await session.ask({ ...read, record: false })).body;
}

const addressFields = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'];

/** Whether a service asks for addresses or ports of its own, which no other conversation may hold just then. */
export function takesAddresses(body: Body): boolean {
  const spec = body['spec'];
  if (typeof spec !== 'object' || spec === null || body['kind'] !== 'Service') return false;
  return addressFields.some((field) => Object.hasOwn(spec, field)) || JSON.stringify(spec).includes('"nodePort"');
}

export function collectionOf({ definition, version }: Kind): string {
  const root = definition.group === '' ? '/api' : `/apis/${definition.group}`;
  const place = definition.namespaced ? '/namespaces/{ns}' : '';
  return `${root}/${version.version}${place}/${definition.resource}`;
}

/** A body with a name that no other conversation uses, where the kind leaves that to us. */
export function withOwnName(kind: Kind, body: Body): Body {
  const metadata = (body['metadata'] ?? {}) as Body;
  const { name } = metadata;
  const named = { ...body, apiVersion: kind.apiVersion, kind: kind.definition.kind };
  if (namedByRule.has(kind.definition.resource) || typeof name !== 'string' || name.includes('{u}')) return named;
  return {
    ...named,
    metadata: { ...metadata, name: `${name}-{u}`, ...(metadata['namespace'] !== undefined && { namespace: '{ns}' }) },
  };
}

export function nameIn(body: unknown): string | undefined {
  const name = ((body as Body | undefined)?.['metadata'] as Body | undefined)?.['name'];
  return typeof name === 'string' ? name : undefined;
}
