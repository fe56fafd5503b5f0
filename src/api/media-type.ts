// Media types: parsing of Accept and Content-Type, and selection among the offers of a handler. The caller supplies
// media types and transformations.

import { limits } from '../base/limits.ts';

/** One clause of an Accept header. */
interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  /** 1 by default; 0 still counts as accepted, as in Kubernetes. */
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses an Accept header in order of preference. Invalid clauses are ignored, and so are clauses beyond a generous
 * number, because sorting them takes quadratic time.
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',', limits.acceptClauses)) {
    const clause = readClause(part);
    if (clause === undefined) continue;
    // Preference is not an order (a wildcard of high quality and a plain type of low quality precede each other), so
    // the result depends on the algorithm: insertion sort, as in Kubernetes.
    let place = clauses.length;
    while (place > 0 && precedes(clause, clauses[place - 1] as AcceptClause)) place--;
    clauses.splice(place, 0, clause);
  }
  return clauses;
}

function readClause(part: string): AcceptClause | undefined {
  const [range = '', ...rest] = part.split(';', 1 + limits.mediaTypeParameters);
  const [type = '', subtype, ...more] = range.split('/', 3).map((each) => each.trim());
  if (more.length > 0 || (subtype === undefined && type !== '*')) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const each of rest) {
    const [name = '', value, ...excess] = each.split('=', 3).map((side) => side.trim());
    if (value === undefined || value === '' || excess.length > 0) continue;
    if (name === 'q') quality = Number.isFinite(Number(value)) ? Number(value) : 0;
    else parameters.set(name, value);
  }
  return { type, subtype: subtype ?? '*', quality, parameters };
}

function precedes(one: AcceptClause, other: AcceptClause): boolean {
  if (one.quality > other.quality) return true;
  if (one.type !== '*' && other.type === '*') return true;
  return one.subtype !== '*' && other.subtype === '*';
}

/**
 * Whether an Accept header names one of the media types or all of them (`*` slash `*`). This is Kubernetes' first
 * check, before any handler: no ranges such as `application/*`, and parameters are ignored. If it fails, the response
 * is errors.noRepresentation.
 */
export function acceptsAny(header: string | undefined, mediaTypes: readonly string[]): boolean {
  if (header === undefined || header === '') return true;
  return header.split(',', limits.acceptClauses).some((part) => {
    const [range = ''] = part.split(';', 1);
    const wanted = range.trim();
    return wanted === '*/*' || mediaTypes.includes(wanted);
  });
}

/** A transformation of a response: `as=Table;g=meta.k8s.io;v=v1`. */
export interface Transformation {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface OfferedMediaType {
  /** `application/json`. */
  readonly mediaType: string;
  /** Whether the untransformed response is available; protobuf of custom resources is not. True by default. */
  readonly untransformed?: boolean;
  /** Whether the type can be streamed: otherwise `;stream=watch` is rejected. */
  readonly streams?: boolean;
  /** Transformations available in this type, if they differ from those of the whole offer. */
  readonly transformations?: readonly Transformation[];
}

export interface NegotiationOffer {
  /** In the server's order of preference; the first is used without an Accept header. */
  readonly mediaTypes: readonly OfferedMediaType[];
  readonly transformations: readonly Transformation[];
}

export interface Negotiated {
  readonly mediaType: string;
  /** Whether the selected type can be streamed. */
  readonly streams: boolean;
  readonly transformation: Transformation | undefined;
  /** The parameter `pretty=1`. */
  readonly pretty: boolean;
  /** The parameter `profile`, of discovery: `nopeer`. */
  readonly profile: string | undefined;
}

/** The best offer for an Accept header; undefined if there is none. */
export function negotiate(accept: string | undefined, offer: NegotiationOffer): Negotiated | undefined {
  const [preferred] = offer.mediaTypes;
  if (accept === undefined || accept === '') {
    return preferred === undefined ? undefined : chosen(preferred, undefined, new Map());
  }
  for (const clause of parseAccept(accept)) {
    for (const offered of offer.mediaTypes) {
      if (!covers(clause, offered.mediaType)) continue;
      const found = fit(clause, offered, offered.transformations ?? offer.transformations);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function chosen(
  { mediaType, streams = false }: OfferedMediaType,
  transformation: Transformation | undefined,
  parameters: AcceptClause['parameters'],
): Negotiated {
  const [pretty, profile] = ['pretty', 'profile'].map((name) => parameters.get(name));
  return { mediaType, streams, transformation, pretty: pretty === '1', profile };
}

function covers({ type, subtype }: AcceptClause, mediaType: string): boolean {
  if (type === '*' && subtype === '*') return true;
  const [offeredType, offeredSubtype] = mediaType.split('/');
  return type === offeredType && (subtype === '*' || subtype === offeredSubtype);
}

function fit(
  { parameters }: AcceptClause,
  offered: OfferedMediaType,
  transformations: readonly Transformation[],
): Negotiated | undefined {
  const stream = parameters.get('stream');
  if (stream !== undefined && (stream !== 'watch' || offered.streams !== true)) return undefined;
  const [kind, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  if (kind === undefined && group === undefined && version === undefined) {
    return offered.untransformed === false ? undefined : chosen(offered, undefined, parameters);
  }
  const found = transformations.find(
    (each) => each.kind === (kind ?? '') && each.group === (group ?? '') && each.version === (version ?? ''),
  );
  return found === undefined ? undefined : chosen(offered, found, parameters);
}
