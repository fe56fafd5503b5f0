// Paths and names of built-in objects, as the areas create them.

import type { RequestStep } from '../conformance/scenario.ts';
import type { Body, Kind } from './bodies.ts';
import type { Session } from './session.ts';

/** Kinds that validate, route or change the writes of others: a stored one must run alone. */
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

/** Kinds whose names have a meaning. */
const namedByRule = new Set(['customresourcedefinitions', 'apiservices', 'ipaddresses']);

export function isJudging({ definition }: Kind): boolean {
  return judging.has(definition.resource);
}

interface Standing {
  readonly conditions: ReadonlyMap<string, string>;
  readonly finalizers: readonly string[];
}

/** Kinds that the server itself updates shortly after each change, and how to tell that it has. */
const settling: Readonly<Record<string, (standing: Standing) => boolean>> = {
  flowschemas: ({ conditions }) => conditions.has('Dangling'),
  apiservices: ({ conditions }) => conditions.has('Available'),
  // Names are accepted in one write and the definition is established in the next; a deleted one disappears when its
  // objects are gone.
  customresourcedefinitions: ({ conditions, finalizers }) =>
    !finalizers.includes('customresourcecleanup.apiextensions.k8s.io') &&
    conditions.has('Established') &&
    (conditions.get('Established') === 'True' || conditions.get('NamesAccepted') === 'False'),
};

/** Whether the server writes the status of its objects. */
export function isSettling({ definition }: Kind): boolean {
  return Object.hasOwn(settling, definition.resource);
}

/**
 * Waits until an object has the status set by the server and is stable: the timing depends on each server's
 * controllers. Returns the object; undefined if it does not happen.
 */
export async function settled(session: Session, kind: Kind, read: RequestStep): Promise<unknown> {
  const isSettled = settling[kind.definition.resource];
  if (isSettled === undefined) return undefined;
  await session.until(read, (...seen) => isQuiet(...seen) && (seen[0] === 404 || isSettled(standingOf(seen[1]))));
  return (await session.ask({ ...read, record: false })).body;
}

/** Whether an object is gone, or still has the version read before. */
export function isQuiet(status: number, body: unknown, before: unknown): boolean {
  return status === 404 || (versionOf(body) !== undefined && versionOf(body) === versionOf(before));
}

function versionOf(body: unknown): unknown {
  return ((body as Body | undefined)?.['metadata'] as Body | undefined)?.['resourceVersion'];
}

function standingOf(body: unknown): Standing {
  const { status, metadata } = (body ?? {}) as {
    status?: { conditions?: { type?: string; status?: string }[] | null };
    metadata?: { finalizers?: string[] };
  };
  const conditions = new Map((status?.conditions ?? []).map(({ type = '', status: is = '' }) => [type, is]));
  return { conditions, finalizers: metadata?.finalizers ?? [] };
}

const addressFields = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'];

/** Whether a service requests specific addresses or ports, which must not be in use by another conversation. */
export function takesAddresses(body: Body): boolean {
  const spec = body['spec'];
  if (typeof spec !== 'object' || spec === null || body['kind'] !== 'Service') return false;
  return addressFields.some((field) => Object.hasOwn(spec, field)) || JSON.stringify(spec).includes('"nodePort"');
}

/** Variables saved from responses about an object of this kind. */
export function captureOf({ definition }: Kind): Record<string, string> {
  const capture = { rv: 'metadata.resourceVersion', uid: 'metadata.uid', name: 'metadata.name' };
  return definition.resource === 'services' ? { ...capture, ip: 'spec.clusterIP' } : capture;
}

/** Removes the values that each server allocated to a service of its own: its address and ports. */
export function withoutAllocations(object: Body): void {
  const spec = object['spec'] as Body | undefined;
  if (object['kind'] !== 'Service' || typeof spec !== 'object' || spec === null) return;
  if (typeof spec['clusterIP'] === 'string' && spec['clusterIP'].startsWith('10.')) {
    spec['clusterIP'] = '{ip}';
    spec['clusterIPs'] = ['{ip}'];
  }
  delete spec['healthCheckNodePort'];
  for (const port of (spec['ports'] ?? []) as Body[]) delete port['nodePort'];
}

export function collectionOf({ definition, version }: Kind): string {
  const root = definition.group === '' ? '/api' : `/apis/${definition.group}`;
  const place = definition.namespaced ? '/namespaces/{ns}' : '';
  return `${root}/${version.version}${place}/${definition.resource}`;
}

/** Returns a body with a name unique to the conversation, if the kind allows any name. */
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
