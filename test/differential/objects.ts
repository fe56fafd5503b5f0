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

interface Standing {
  readonly conditions: ReadonlyMap<string, string>;
  readonly finalizers: readonly string[];
}

/** Kinds that the server itself writes to a moment after each change, and what says that it has. */
const settling: Readonly<Record<string, (standing: Standing) => boolean>> = {
  flowschemas: ({ conditions }) => conditions.has('Dangling'),
  apiservices: ({ conditions }) => conditions.has('Available'),
  // Names are accepted in one write and the definition is established in the next; one that is deleted is let go of
  // when its objects are gone.
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
 * Waits until an object has the status that the server gives it and nobody writes to it any more: when that is, each
 * server's own controllers say. What it is then; undefined where nothing comes.
 */
export async function settled(session: Session, kind: Kind, read: RequestStep): Promise<unknown> {
  const isSettled = settling[kind.definition.resource];
  if (isSettled === undefined) return undefined;
  await session.until(read, (...seen) => isQuiet(...seen) && (seen[0] === 404 || isSettled(standingOf(seen[1]))));
  return (await session.ask({ ...read, record: false })).body;
}

/** Whether an object is gone, or has the version that it had when it was read before. */
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

/** Whether a service asks for addresses or ports of its own, which no other conversation may hold just then. */
export function takesAddresses(body: Body): boolean {
  const spec = body['spec'];
  if (typeof spec !== 'object' || spec === null || body['kind'] !== 'Service') return false;
  return addressFields.some((field) => Object.hasOwn(spec, field)) || JSON.stringify(spec).includes('"nodePort"');
}

/** What is kept of the answers about an object of this kind. */
export function captureOf({ definition }: Kind): Record<string, string> {
  const capture = { rv: 'metadata.resourceVersion', uid: 'metadata.uid', name: 'metadata.name' };
  return definition.resource === 'services' ? { ...capture, ip: 'spec.clusterIP' } : capture;
}

/** Puts what each server has given a service of its own out of it: another address and other ports. */
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
