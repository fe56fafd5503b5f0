// Built-in objects with statuses, in every representation: tables, metadata, protobuf, YAML, read and written.

import type { RequestStep } from '../../conformance/scenario.ts';
import type { Area, Case } from '../area.ts';
import type { Body, Kind } from '../bodies.ts';
import { CBOR } from '../cbor-bodies.ts';
import { mutatedBody } from '../mutate-body.ts';
import { collectionOf, isJudging, isSettling, nameIn, settled, takesAddresses, withOwnName } from '../objects.ts';
import { hasProtobuf, PROTOBUF } from '../protobuf-bodies.ts';

const reads = 6;
const statusChanges = 12;

export const representations: Area = {
  name: 'representations',
  async run(given) {
    const { session, random, bodies } = given;
    const kind = random.pick(bodies.kinds.filter(({ accepted, manifests }) => accepted.length + manifests.length > 0));
    const chosen = random.pick(kind.manifests.length > 0 && random.chance(50) ? kind.manifests : kind.all);
    if (chosen === undefined) return;
    const base = withOwnName(kind, chosen);
    const body = random.chance(50) ? mutatedBody(kind.version.schema, base, { bodies, random, changes: 3 }) : base;
    // An object with a generated name on one side only cannot be cleaned up, which matters for objects that affect
    // others.
    if (isJudging(kind) && nameIn(body) === undefined) return;
    if (isJudging(kind) || takesAddresses(body)) await given.alone();
    const path = collectionOf(kind);
    const form = isJudging(kind) ? { body } : written(given, body);
    const made = await session.ask({ ...form, method: 'POST', path, capture });
    const name = nameIn(made.body) ?? nameIn(body);
    if (made.status !== 201 || name === undefined) return;
    const read: RequestStep = { method: 'GET', path: `${path}/{name}`, capture };
    await settled(session, kind, read);
    const { status, body: now } = await session.ask(read);
    if (status !== 200) return;
    await writeStatus(given, kind, now as Body);
    for (let left = reads; left > 0; left--) await session.ask(reading(given, path));
    const headers = { accept: random.pick(accepts) };
    if (random.chance(60)) await session.ask({ method: 'DELETE', path: `${path}/{name}`, headers });
  },
};

const capture = { rv: 'metadata.resourceVersion', uid: 'metadata.uid', name: 'metadata.name' };

/** A nearly valid status, or a whole one. */
async function writeStatus(given: Case, kind: Kind, object: Body): Promise<void> {
  const { session, random, bodies } = given;
  const status = kind.version.schema.jsonFields.get('status')?.node;
  // If a controller writes it too, the result depends on timing.
  if (status?.kind !== 'struct' || isSettling(kind) || !Object.hasOwn(kind.definition.subresources, 'status')) return;
  const path = `${collectionOf(kind)}/{name}/status`;
  for (let left = 3; left > 0; left--) {
    const begun = (session.asTemplate(object)['status'] ?? {}) as Body;
    const next = mutatedBody(status, begun, { bodies, random, changes: left === 1 ? 2 : statusChanges });
    const { metadata: _, ...rest } = session.asTemplate(object);
    const body = { ...rest, metadata: { name: '{name}' }, status: next };
    const asked = await session.ask({ ...written(given, body), method: 'PUT', path });
    if (asked.status < 300) return;
  }
}

/** A body in JSON, protobuf or CBOR, with a response in any format. */
function written({ random }: Case, body: Body): RequestStep {
  const accept: Record<string, string> = random.chance(20) ? { accept: random.pick(accepts) } : {};
  const isProtobuf = random.chance(50) && hasProtobuf(body);
  const type = isProtobuf ? PROTOBUF : random.chance(15) ? CBOR : undefined;
  return { path: '', body, headers: { ...accept, ...(type !== undefined && { 'content-type': type }) } };
}

function reading({ random }: Case, path: string): RequestStep {
  const accept = random.pick(accepts);
  const include = random.pick([undefined, undefined, 'None', 'Metadata', 'Object', 'object', 'x']);
  const query = { ...(include !== undefined && { includeObject: include }) };
  if (random.chance(50)) return { method: 'GET', path: `${path}/{name}`, query, headers: { accept } };
  const one = { fieldSelector: 'metadata.name={name}' };
  return { method: 'GET', path, query: { ...query, ...one }, headers: { accept } };
}

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const accepts = [
  'application/json',
  'application/yaml',
  table,
  table,
  table,
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io',
  PROTOBUF,
  PROTOBUF,
  `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`,
  `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`,
  `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io, application/json`,
  CBOR,
  `${CBOR};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`,
  `${CBOR};as=Table;v=v1;g=meta.k8s.io, application/json`,
];
