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
import { PROTOBUF_TYPE } from './protobuf-bytes.ts';
import type { RequestContext } from './request-context.ts';
import type { MetaVersion } from './transforms.ts';

const JSON_TYPE: OfferedMediaType = { mediaType: 'application/json', streams: true };
const YAML_TYPE: OfferedMediaType = { mediaType: 'application/yaml' };

const REPRESENTATIONS = ['application/json', 'application/yaml', PROTOBUF_TYPE];
const STREAMS = ['application/json;stream=watch', `${PROTOBUF_TYPE};stream=watch`];

const META_FORMS: readonly Transformation[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].flatMap(
  (kind) => ['v1', 'v1beta1'].map((version) => ({ group: 'meta.k8s.io', version, kind })),
);

const PROTOBUF: OfferedMediaType = {
  mediaType: PROTOBUF_TYPE,
  streams: true,
  transformations: META_FORMS.filter(({ kind }) => kind !== 'Table'),
};
/** Custom resources have no messages of their own. */
const METADATA_PROTOBUF: OfferedMediaType = { ...PROTOBUF, untransformed: false };

const RESOURCES: NegotiationOffer = { mediaTypes: [JSON_TYPE, YAML_TYPE, PROTOBUF], transformations: META_FORMS };
const CUSTOM_RESOURCES: NegotiationOffer = {
  mediaTypes: [JSON_TYPE, YAML_TYPE, METADATA_PROTOBUF],
  transformations: META_FORMS,
};
const DOCUMENTS: NegotiationOffer = {
  mediaTypes: [JSON_TYPE, YAML_TYPE, { ...PROTOBUF, transformations: [] }],
  transformations: [],
};

/** User agents of people who look, and are shown indented answers. */
const PEOPLE = /^(?:curl|Wget|Mozilla)\//;

/** Whether the route can answer at all. @throws ApiError 406 */
export function checkAcceptable({ exchange }: RequestContext, streams: boolean): void {
  const { accept } = exchange.headers;
  if (accept === 'application/json') return;
  if (acceptsAny(accept, REPRESENTATIONS)) return;
  const available = streams ? [...REPRESENTATIONS, ...STREAMS] : REPRESENTATIONS;
  // Types that name a stream are compared by what stands before their parameters, so they add nothing to the choice.
  throw errors.noRepresentation(available);
}

/** The form of an answer about resources, custom ones or built-in ones. @throws ApiError 406 */
export function resourceFormat(context: RequestContext, custom: boolean): Format {
  return chooseFormat(context, custom ? CUSTOM_RESOURCES : RESOURCES);
}

/** The form of a watch's events: a type that can be streamed. @throws ApiError 406 */
export function watchFormat(context: RequestContext, custom: boolean): Format {
  const { accept } = context.exchange.headers;
  const found = negotiate(accept, custom ? CUSTOM_RESOURCES : RESOURCES);
  if (found === undefined) throw unacceptable();
  if (!found.streams) throw errors.notAcceptable(STREAMS);
  const format = formatOf(context, found);
  const contentType = format.media === 'protobuf' ? `${PROTOBUF_TYPE};stream=watch` : format.contentType;
  return { ...format, contentType, pretty: false };
}

/** Documents that are JSON alone, whatever a client prefers. @throws ApiError 406 for one that doesn't take JSON */
export function jsonFormat(context: RequestContext): Format {
  if (!acceptsAny(context.exchange.headers.accept, [JSON_TYPE.mediaType])) {
    throw errors.noRepresentation([JSON_TYPE.mediaType]);
  }
  return { ...JSON_FORMAT, pretty: isPretty(context, false) };
}

/** The form of documents that are no resources: discovery. @throws ApiError 406 */
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
  const media = mediaType === PROTOBUF_TYPE ? 'protobuf' : mediaType === 'application/yaml' ? 'yaml' : 'json';
  return {
    media,
    contentType: mediaType,
    pretty: media !== 'protobuf' && isPretty(context, pretty),
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
