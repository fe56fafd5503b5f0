// Comparison of two servers' responses to the same requests, with generated values normalised. Go dumps of values in
// messages are removed from both.

import { Buffer } from 'node:buffer';
import { differences } from '../conformance/difference.ts';
import { Normaliser } from '../conformance/normalise.ts';
import type { Variables } from '../conformance/variables.ts';
import { CBOR, cborAnswer } from './cbor-bodies.ts';
import { withoutDumps } from './dumps.ts';
import { protobufAnswer } from './protobuf-bodies.ts';
import { type Reply, textOf } from './send.ts';

/** Headers that are generated, or that only describe the transport. */
const ownHeaders = new Set([
  'date',
  'audit-id',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
  'strict-transport-security',
  // Fields of documents that contain each server's own types and descriptions.
  'etag',
  'last-modified',
  'accept-ranges',
]);

/** One side of a conversation: values that its server generated keep their placeholders from response to response. */
export class Side {
  readonly #normaliser: Normaliser;

  constructor(variables: Variables) {
    this.#normaliser = new Normaliser(variables);
  }

  /**
   * Returns a response in the form that is compared.
   * @param prefixes those to which the server may have generated names
   */
  comparable(reply: Reply, prefixes: readonly string[]): Record<string, unknown> {
    const body = managersInOrder(rulesInOrder(withoutListVersion(madeUp(withoutBookmarks(bodyOf(reply)), prefixes))));
    const headers = Object.entries(reply.headers).filter(([name]) => !ownHeaders.has(name));
    return this.#normaliser.answer({ status: reply.status, headers: Object.fromEntries(headers), body });
  }
}

/**
 * Returns lines that describe where our response differs from the reference's.
 * @param replies given if the order of fields is compared too
 */
export function answerDifferences(
  reference: Record<string, unknown>,
  ours: Record<string, unknown>,
  replies?: { reference: Reply; ours: Reply },
): string[] {
  const isCustom = replies !== undefined;
  const inOrder = (answer: Record<string, unknown>) =>
    isCustom ? causesInOrder(firstOfUntyped(answer)) : faultsOfMapsInOrder(answer);
  const [expected, actual] = withoutDumps(...withoutUndeclared(inOrder(reference), inOrder(ours)));
  const lines = differences(expected, actual);
  if (lines.length > 0 || replies === undefined) return lines;
  const place = orderDiffers(managersInOrder(parsed(replies.reference)), managersInOrder(parsed(replies.ours)), 'body');
  return place === undefined ? [] : [`order of members at ${place}`];
}

/** Kubernetes visits the fields that do not match a schema in random order, and stops at the first undeclared one. */
function firstOfUntyped(answer: Record<string, unknown>): Record<string, unknown> {
  const { json } = (answer['body'] ?? {}) as { json?: Status };
  const head = /^failed to create typed patch object \([^)]*\): /.exec(json?.message ?? '')?.[0];
  if (head === undefined) return answer;
  return { ...answer, body: { json: { ...json, message: head } } };
}

const undeclared = 'field not declared in schema';

/** The same for built-in kinds, if both found undeclared fields. */
function withoutUndeclared<T extends Record<string, unknown>>(expected: T, actual: T): [T, T] {
  const holds = ({ body }: T) => ((body as { json?: Status } | undefined)?.json?.message ?? '').includes(undeclared);
  return holds(expected) && holds(actual)
    ? [firstOfUntyped(expected) as T, firstOfUntyped(actual) as T]
    : [expected, actual];
}

/** Kubernetes reports the errors of a custom object in Go's map order, which is random. */
function causesInOrder(answer: Record<string, unknown>): Record<string, unknown> {
  const { json } = (answer['body'] ?? {}) as { json?: { details?: { causes?: unknown[] }; message?: string } };
  const { causes } = json?.details ?? {};
  if (!Array.isArray(causes) || causes.length < 2) return answer;
  const sorted = causes.map((cause) => JSON.stringify(cause)).sort();
  return { ...answer, body: { json: { ...json, message: '', details: { ...json?.details, causes: sorted } } } };
}

type Cause = { readonly field?: unknown };

/**
 * Likewise for the errors of one field's map: runs of causes of the same field, ignoring map keys, and lists of schema
 * violations are sorted.
 */
function faultsOfMapsInOrder(answer: Record<string, unknown>): Record<string, unknown> {
  const { json } = (answer['body'] ?? {}) as { json?: Status };
  const message = json?.message;
  if (typeof message === 'string' && message.includes('errors:\n')) {
    const [head, ...lines] = message.split('\n');
    return { ...answer, body: { json: { ...json, message: [head, ...lines.sort()].join('\n') } } };
  }
  const breaches = typeof message === 'string' && / is forbidden: \[(m.* usage per .*|.* per .*)\]$/.test(message);
  if (breaches) {
    // Errors of limit ranges are in map order, too.
    return {
      ...answer,
      body: {
        json: {
          ...json,
          message: message
            .split(/[[\],]\s*/)
            .sort()
            .join(),
        },
      },
    };
  }
  const causes = json?.details?.causes;
  if (!Array.isArray(causes) || causes.length < 2) return answer;
  if (causes.every((cause) => (cause as { reason?: unknown }).reason === 'FieldManagerConflict')) {
    // Conflicts are listed by manager, and managers are in a map.
    const sorted = causes.map((cause) => JSON.stringify(cause)).sort();
    return { ...answer, body: { json: { ...json, details: { ...json?.details, causes: sorted } } } };
  }
  const runs: Cause[][] = [];
  for (const cause of causes as Cause[]) {
    const run = runs.at(-1);
    if (run !== undefined && mapOf(run[0]!) === mapOf(cause)) run.push(cause);
    else runs.push([cause]);
  }
  if (runs.length === causes.length) return answer;
  const sorted = runs.flatMap((run) => run.sort((one, other) => (text(one) < text(other) ? -1 : 1)));
  return { ...answer, body: { json: { ...json, message: '', details: { ...json?.details, causes: sorted } } } };
}

interface Status {
  readonly message?: string;
  readonly details?: { readonly causes?: unknown[] };
}

const text = (cause: Cause) => JSON.stringify(cause);

const metricSource = /^(.*\.metrics\[\d+\])\.(object|pods|resource|containerResource|external)$/;

/** An amount of a capacity, and how it may be requested. */
const capacityOf = /^(.*\.capacity)(?:\[.*)?$/;

const amountsOf = /^(.*\.resources)\.(?:requests|limits)(?:\[.*)?$/;

function mapOf({ field }: Cause): string {
  // The sources of an autoscaler's metric are in a map.
  const metric = metricSource.exec(String(field));
  if (metric !== null) return metric[1]!;
  // Likewise requests and limits, each entry of which is compared with the other list.
  const amounts = amountsOf.exec(String(field));
  if (amounts !== null) return amounts[1]!;
  const capacity = capacityOf.exec(String(field));
  if (capacity !== null) return capacity[1]!;
  return String(field).replace(/\[[^\]]*[^\]\d][^\]]*\].*/, '[]');
}

/** A list's version is that of the last write to anything, including other conversations' writes. */
function withoutListVersion(body: unknown): unknown {
  const { json, text } = (body ?? {}) as { json?: Members; text?: string };
  if (text?.includes('\nitems:')) {
    return { text: text.replace(/(\nmetadata:\n(?: {2}continue: "[^"]*"\n)? {2}resourceVersion: )"\d+"/, '$1<rv>') };
  }
  const metadata = json?.['metadata'] as Members | undefined;
  if (
    metadata?.['resourceVersion'] === undefined ||
    !(String(json?.['kind']).endsWith('List') || json?.['kind'] === 'Table')
  ) {
    return body;
  }
  return { ...(body as Members), json: { ...json, metadata: { ...metadata, resourceVersion: '<list>' } } };
}

/**
 * Bookmarks depend on each server's timers, with the version of the last write to anything; except the one that ends
 * the initial events, whose position is compared.
 */
function withoutBookmarks(body: unknown): unknown {
  const { events, json } = (body ?? {}) as { events?: Members[]; json?: Members };
  const said = events ?? (json?.['type'] === 'BOOKMARK' ? [json] : undefined);
  if (said === undefined) return body;
  // The first event has the columns of a table, whichever event it is.
  const columns = (said[0]?.['object'] as Members | undefined)?.['columnDefinitions'];
  const kept = said.flatMap((event) => {
    if (event['type'] !== 'BOOKMARK') return [event];
    const text = JSON.stringify(event);
    if (!text.includes('initial-events-end')) return [];
    return [JSON.parse(text.replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"0"')) as Members];
  });
  if (kept.length === 0) return undefined;
  const first = kept[0]?.['object'] as Members | undefined;
  if (columns !== undefined && first !== undefined)
    kept[0] = { ...kept[0], object: { ...first, columnDefinitions: columns } };
  return kept.length === 1 ? { json: kept[0] } : { events: kept };
}

/** Managers are sorted by the second of their last write, which may be another one on the other server. */
function managersInOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(managersInOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'managedFields' && Array.isArray(item) ? item.toSorted(byManager) : managersInOrder(item),
    ]),
  );
}

/** Entries without a time are first, as both servers sort them. */
function byManager(one: Members, other: Members): number {
  const text = (entry: Members) =>
    [
      entry['operation'],
      entry['time'] !== undefined,
      entry['manager'],
      entry['apiVersion'],
      entry['subresource'],
    ].join();
  return text(one) < text(other) ? -1 : text(one) > text(other) ? 1 : 0;
}

/** Kubernetes visits the bindings of a user in random order. */
function rulesInOrder(body: unknown): unknown {
  const { json } = (body ?? {}) as { json?: Members };
  if (json?.['kind'] !== 'SelfSubjectRulesReview') return body;
  const status = json['status'] as Record<string, unknown[]> | undefined;
  const sorted = (rules: unknown[] = []) => rules.map((rule) => JSON.stringify(rule)).sort();
  const { resourceRules, nonResourceRules, ...rest } = status ?? {};
  const inOrder = { ...rest, resourceRules: sorted(resourceRules), nonResourceRules: sorted(nonResourceRules) };
  return { ...(body as Members), json: { ...json, status: inOrder } };
}

function parsed(reply: Reply): unknown {
  try {
    return JSON.parse(textOf(reply));
  } catch {
    return undefined;
  }
}

/** Returns where two equal values have a different order of fields. */
function orderDiffers(one: unknown, other: unknown, at: string): string | undefined {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return undefined;
  // The position of the version in metadata is our own choice: it is inserted into existing bytes.
  const keys = Object.keys(one).filter((key) => key !== 'resourceVersion');
  const names = Object.keys(other).filter((key) => key !== 'resourceVersion');
  if (keys.length === names.length && keys.some((key, index) => key !== names[index])) return at;
  for (const key of keys) {
    const found = orderDiffers((one as Members)[key], (other as Members)[key], `${at}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Members = Record<string, unknown>;

function bodyOf(reply: Reply): unknown {
  const type = String(reply.headers['content-type'] ?? '');
  if (reply.bytes.length === 0) return undefined;
  if (type.startsWith('application/vnd.kubernetes.protobuf') && !type.includes('stream=watch')) {
    return protobufOf(reply.bytes);
  }
  if (type === CBOR) return cborAnswer(reply.bytes);
  const text = textOf(reply);
  try {
    return { ...(text.startsWith('{\n') && { indented: true }), json: JSON.parse(text) };
  } catch {
    return lines(text);
  }
}

function protobufOf(bytes: Buffer): unknown {
  try {
    return protobufAnswer(bytes);
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}

/** Returns the events of a watch; or the text, if it is not lines of JSON. */
function lines(text: string): unknown {
  try {
    return {
      events: text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    };
  } catch {
    return { text };
  }
}

/** The suffix of a generated name: no vowels or similar characters. */
export const generatedSuffix = '[bcdfghjklmnpqrstvwxz2456789]{5}';
const clusterIp = /^10\.0\.\d+\.\d+$/;
/** The same in a YAML document. */
const clusterIpLine = /(\n\s+(?:clusterIP: |- ))10\.0\.[0-3]\.\d+(?=\n)/g;
/** The same, and a node port, in a text that quotes one or an object. */
const quotedClusterIp = /(")10\.0\.[0-3]\.\d{1,3}(?=\\?")/g;
const quotedNodePort = /(nodePort\\":)3\d{4}\b/g;
const nodePortLine = /(\n\s+(?:- )?(?:nodePort|healthCheckNodePort): )3\d{4}(?=\n)/g;
const duplicatePort = /(nodePort: Duplicate value: |^Duplicate value: )3\d{4}\b/g;
const nodePortInCell = /:3\d{4}(?=\/)/g;
const tokenLength = 100;

/** Removes addresses, ports and tokens that a server allocates. */
function madeUp(value: unknown, prefixes: readonly string[]): unknown {
  if (typeof value === 'string') return withoutGenerated(value, prefixes);
  if (Array.isArray(value)) return value.map((item) => madeUp(item, prefixes));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === 'clusterIP' && typeof item === 'string' && clusterIp.test(item)) return [key, '<ip>'];
      if (key === 'clusterIPs' && Array.isArray(item))
        return [key, item.map((ip) => (clusterIp.test(ip) ? '<ip>' : ip))];
      if ((key === 'nodePort' || key === 'healthCheckNodePort') && typeof item === 'number' && item >= 30_000) {
        return [key, '<port>'];
      }
      if (key === 'cells' && Array.isArray(item)) return [key, item.map((cell) => madeUp(madeUpCell(cell), prefixes))];
      if (key === 'token' && typeof item === 'string' && item.length > tokenLength) return [key, '<token>'];
      return [withoutGenerated(key, prefixes), madeUp(item, prefixes)];
    }),
  );
}

/** A resource version in an object quoted in a message. */
const quotedVersion = /(resourceVersion(?:\\":\\"|:))\d+/g;
/** An allocated node port in a message. */
const givenPort = /(duplicate nodePort: \{[A-Z]+ )\d+/g;
/** Our messages about entries that no schema fits name the manager. */
const entryOfManager = /^the entry of "[^"]*" in metadata\.managedFields: /;
/** The name that the reference generates for the type of a schema without a name. */
const madeType = /\bselfType\d+/g;

function madeUpCell(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  return clusterIp.test(cell) ? '<ip>' : cell.replace(nodePortInCell, ':<port>');
}

function withoutGenerated(text: string, prefixes: readonly string[]): string {
  let out = text
    .replace(clusterIpLine, '$1<ip>')
    .replace(quotedClusterIp, '$1<ip>')
    .replace(quotedNodePort, '$1<port>')
    .replace(nodePortLine, '$1<port>')
    .replace(duplicatePort, '$1<port>')
    .replace(quotedVersion, '$1<rv>')
    .replace(givenPort, '$1<port>')
    .replace(madeType, 'selfType')
    .replace(entryOfManager, '');
  for (const prefix of prefixes) {
    if (out.includes(prefix))
      out = out.replace(new RegExp(`${escaped(prefix)}${generatedSuffix}(?![a-z0-9])`, 'g'), `${prefix}<made>`);
  }
  return out;
}

function escaped(text: string): string {
  return text.replace(/[^\w-]/g, '\\$&');
}
