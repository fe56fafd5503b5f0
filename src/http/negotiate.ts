// Which form an answer takes. Kubernetes looks twice at Accept: once whether the route can answer in any of the types
// named, and once which type, turned into what, is the best the answer has. The two refuse in different words.

import { errors } from '../api/errors.ts';
import {
  acceptsAny,
  type Negotiated,
  type NegotiationOffer,
  negotiate,
  type OfferedMediaType,
  type Transformation,
} from '../api/media-type.ts';
import { type Format, JSON_FORMAT } from './format.ts';
import type { RequestContext } from './request-context.ts';
import type { MetaVersion } from './transforms.ts';

const JSON_TYPE: OfferedMediaType = { mediaType: 'application/json', streams: true };
const YAML_TYPE: OfferedMediaType = { mediaType: 'application/yaml' };

const REPRESENTATIONS = ['application/json', 'application/yaml'];
const STREAMS = ['application/json;stream=watch'];

const META_FORMS: readonly Transformation[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].flatMap(
  (kind) => ['v1', 'v1beta1'].map((version) => ({ group: 'meta.k8s.io', version, kind })),
);

const RESOURCES: NegotiationOffer = { mediaTypes: [JSON_TYPE, YAML_TYPE], transformations: META_FORMS };
const DOCUMENTS: NegotiationOffer = { mediaTypes: [JSON_TYPE, YAML_TYPE], transformations: [] };

/** User agents of people who look, and are shown indented answers. */
const PEOPLE = /^(?:curl|Wget|Mozilla)\//;

/** Whether the route can answer at all. @throws ApiError 406 */
export function checkAcceptable({ exchange }: RequestContext, streams: boolean): void {
  const { accept } = exchange.headers;
  if (acceptsAny(accept, REPRESENTATIONS)) return;
  const available = streams ? [...REPRESENTATIONS, ...STREAMS] : REPRESENTATIONS;
  // Types that name a stream are compared by what stands before their parameters, so they add nothing to the choice.
  throw errors.noRepresentation(available);
}

/** The form of an answer about resources. @throws ApiError 406 */
export function resourceFormat(context: RequestContext): Format {
  return chooseFormat(context, RESOURCES);
}

/** The form of a watch's events: a type that can be streamed. @throws ApiError 406 */
export function watchFormat(context: RequestContext): Format {
  const { accept } = context.exchange.headers;
  const found = negotiate(accept, RESOURCES);
  if (found === undefined || !found.streams) throw unacceptable();
  return { ...formatOf(context, found), pretty: false };
}

/** The form of documents that are no resources: versions, discovery. @throws ApiError 406 */
export function documentFormat(context: RequestContext): Format {
  return chooseFormat(context, DOCUMENTS);
}

/** The form of an error: what the client accepts where that can be told, JSON otherwise. */
export function errorFormat(context: RequestContext): Format {
  const found = negotiate(context.exchange.headers.accept, RESOURCES);
  return found === undefined
    ? { ...JSON_FORMAT, pretty: isPretty(context, false) }
    : { ...formatOf(context, found), as: undefined };
}

function chooseFormat(context: RequestContext, offer: NegotiationOffer): Format {
  const { accept } = context.exchange.headers;
  if (accept === 'application/json' && context.query.empty && !looksIn(context)) return JSON_FORMAT;
  const found = negotiate(accept, offer);
  if (found === undefined) throw unacceptable();
  return formatOf(context, found);
}

function unacceptable() {
  return errors.notAcceptable(REPRESENTATIONS);
}

function formatOf(context: RequestContext, { mediaType, transformation, pretty }: Negotiated): Format {
  return {
    media: mediaType === 'application/yaml' ? 'yaml' : 'json',
    contentType: mediaType,
    pretty: isPretty(context, pretty),
    as:
      transformation === undefined
        ? undefined
        : {
            kind: transformation.kind as 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList',
            version: transformation.version as MetaVersion,
          },
  };
}

/** Indented when asked for in the query or in Accept, and for people unless they say no. */
function isPretty(context: RequestContext, accepted: boolean): boolean {
  const { query } = context;
  if (query.has('pretty')) {
    const value = query.text('pretty');
    return value === '1' || value === 'true';
  }
  return accepted || looksIn(context);
}

function looksIn({ exchange }: RequestContext): boolean {
  return PEOPLE.test(exchange.headers['user-agent'] ?? '');
}
