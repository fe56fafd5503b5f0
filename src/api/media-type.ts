// Media types: reading Accept and Content-Type, and choosing among what a handler offers. Which transformations and
// types there are is the caller's list; nothing here knows of tables or of discovery.

import { limits } from '../base/limits.ts';

/** One clause of an Accept header. */
interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  /** 1 unless said; 0 still counts as accepted, as in Kubernetes. */
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Reads an Accept header in the order of preference. Clauses that can't be read are left out, and so is what comes
 * after more of them than any client has use for: the time that their order takes grows with the square of their
 * number.
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',', limits.acceptClauses)) {
    const clause = readClause(part);
    if (clause === undefined) continue;
    // Preference is not an order (a wildcard of high quality and a plain type of low quality precede each other), so
    // the result depends on the way of sorting: insertion, as Kubernetes does.
    let place = clauses.length;
    while (place > 0 && precedes(clause, clauses[place - 1] as AcceptClause)) place--;
    clauses.splice(place, 0, clause);
  }
  return clauses;
}

function readClause(part: string): AcceptClause | undefined {
  const [range = '', ...rest] = part.split(';');
  const [type = '', subtype, ...more] = range.split('/').map((each) => each.trim());
  if (more.length > 0 || (subtype === undefined && type !== '*')) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const each of rest) {
    const [name = '', value, ...excess] = each.split('=').map((side) => side.trim());
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
 * Whether an Accept header names one of the media types or all of them (a star, a slash, a star). The first look of
 * Kubernetes, before any handler's: no ranges such as `application/*`, parameters not regarded. Where it fails the
 * answer is errors.noRepresentation.
 */
export function acceptsAny(header: string | undefined, mediaTypes: readonly string[]): boolean {
  if (header === undefined || header === '') return true;
  return header.split(',').some((part) => {
    const [range = ''] = part.split(';');
    const wanted = range.trim();
    return wanted === '*/*' || mediaTypes.includes(wanted);
  });
}

/** What an answer can be turned into on request: `as=Table;g=meta.k8s.io;v=v1`. */
export interface Transformation {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface OfferedMediaType {
  /** `application/json`. */
  readonly mediaType: string;
  /** Whether the answer may be given as it is; protobuf of custom resources only transformed. True unless said. */
  readonly untransformed?: boolean;
  /** Whether the type can be streamed: `;stream=watch` is refused otherwise. */
  readonly streams?: boolean;
  /** What answers in this type can be turned into, where that is not what the offer says for all. */
  readonly transformations?: readonly Transformation[];
}

export interface NegotiationOffer {
  /** In the server's order of preference; the first is the answer to no Accept header. */
  readonly mediaTypes: readonly OfferedMediaType[];
  readonly transformations: readonly Transformation[];
}

export interface Negotiated {
  readonly mediaType: string;
  /** Whether the chosen type can be streamed. */
  readonly streams: boolean;
  readonly transformation: Transformation | undefined;
  /** `pretty=1` among the parameters. */
  readonly pretty: boolean;
}

/** The best of what is offered for an Accept header; undefined where nothing fits. */
export function negotiate(accept: string | undefined, offer: NegotiationOffer): Negotiated | undefined {
  const [preferred] = offer.mediaTypes;
  if (accept === undefined || accept === '') {
    return preferred === undefined ? undefined : chosen(preferred, undefined, false);
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

function chosen(offered: OfferedMediaType, transformation: Transformation | undefined, pretty: boolean): Negotiated {
  return { mediaType: offered.mediaType, streams: offered.streams === true, transformation, pretty };
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
  const pretty = parameters.get('pretty') === '1';
  const [kind, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  if (kind === undefined && group === undefined && version === undefined) {
    return offered.untransformed === false ? undefined : chosen(offered, undefined, pretty);
  }
  const found = transformations.find(
    (each) => each.kind === (kind ?? '') && each.group === (group ?? '') && each.version === (version ?? ''),
  );
  return found === undefined ? undefined : chosen(offered, found, pretty);
}

interface ContentType {
  /** In lower case: `application/json`. */
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER =
  /[ \t]*;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\[\s\S])*)"|([!#$%&'*+.^_`|~0-9A-Za-z-]+))[ \t]*/y;
const TYPE = /^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+(?:\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)?)[ \t]*(?:;[ \t]*$)?/;

/** Reads a Content-Type header; undefined for one that is malformed. */
export function parseContentType(header: string): ContentType | undefined {
  const head = TYPE.exec(header);
  if (head === null) return undefined;
  const parameters = new Map<string, string>();
  const pattern = new RegExp(PARAMETER);
  pattern.lastIndex = head[0].length;
  while (pattern.lastIndex < header.length) {
    const rest = pattern.lastIndex;
    const found = pattern.exec(header);
    if (found === null) {
      if (/^[ \t]*(?:;[ \t]*)?$/.test(header.slice(rest))) break;
      return undefined;
    }
    const [, name = '', quoted, token = ''] = found;
    const key = name.toLowerCase();
    if (parameters.has(key)) return undefined;
    parameters.set(key, quoted === undefined ? token : quoted.replace(/\\([\s\S])/g, '$1'));
  }
  return { mediaType: (head[1] as string).toLowerCase(), parameters };
}
