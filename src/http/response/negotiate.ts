// Content negotiation. Kubernetes evaluates Accept twice: first whether the route can produce any of the media types,
// then which type and transformation is best for the response. The two have different errors.

import { errors } from '../../api/errors.ts';
import {
  acceptsAny,
  type Negotiated,
  type NegotiationOffer,
  negotiate,
  type OfferedMediaType,
  type Transformation,
} from '../../api/media-type.ts';
import { lookup } from '../../base/lookup.ts';
import type { Codec } from '../../resources/codec.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import type { RequestContext } from '../request-context.ts';
import { CBOR_SEQUENCE_TYPE, CBOR_TYPE } from './cbor-bytes.ts';
import { type Format, JSON_FORMAT } from './format.ts';
import { PROTOBUF_TYPE } from './protobuf-bytes.ts';
import type { MetaVersion } from './table.ts';

const JSON_TYPE: OfferedMediaType = { mediaType: 'application/json', streams: true };
const YAML_TYPE: OfferedMediaType = { mediaType: 'application/yaml' };

const META_FORMS: readonly Transformation[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].flatMap(
  (kind) => ['v1', 'v1beta1'].map((version) => ({ group: 'meta.k8s.io', version, kind })),
);

/** Tables are only in JSON and YAML. */
const METADATA_FORMS = META_FORMS.filter(({ kind }) => kind !== 'Table');

const PROTOBUF: OfferedMediaType = { mediaType: PROTOBUF_TYPE, streams: true, transformations: METADATA_FORMS };
/** Custom resources have no protobuf messages. */
const METADATA_PROTOBUF: OfferedMediaType = { ...PROTOBUF, untransformed: false };

const CBOR: OfferedMediaType = { mediaType: CBOR_TYPE, streams: true, transformations: METADATA_FORMS };

/** The media types of the server: CBOR is included if its gate is enabled. */
interface Offers {
  readonly resources: NegotiationOffer;
  readonly customResources: NegotiationOffer;
  /** Built-in resources and subresources without a table form, including those that are not stored. */
  readonly unstored: NegotiationOffer;
  /** Documents about one group version. */
  readonly versionDocuments: NegotiationOffer;
  /** The media types as listed in errors. */
  readonly representations: readonly string[];
  readonly streams: readonly string[];
}

function offersWith(more: readonly OfferedMediaType[], moreStreams: readonly string[]): Offers {
  const mediaTypes = [JSON_TYPE, YAML_TYPE, PROTOBUF, ...more];
  const plain = mediaTypes.map((offered) => ({ ...offered, transformations: [] }));
  return {
    resources: { mediaTypes, transformations: META_FORMS },
    customResources: { mediaTypes: [JSON_TYPE, YAML_TYPE, METADATA_PROTOBUF, ...more], transformations: META_FORMS },
    unstored: { mediaTypes, transformations: METADATA_FORMS },
    versionDocuments: { mediaTypes: plain, transformations: [] },
    representations: mediaTypes.map(({ mediaType }) => mediaType),
    streams: ['application/json;stream=watch', `${PROTOBUF_TYPE};stream=watch`, ...moreStreams],
  };
}

const WITHOUT_CBOR = offersWith([], []);
const WITH_CBOR = offersWith([CBOR], [CBOR_SEQUENCE_TYPE]);

function offersOf({ services }: RequestContext): Offers {
  return services.settings.cbor ? WITH_CBOR : WITHOUT_CBOR;
}

/** User agents of browsers and command-line tools, which get indented responses. */
const PEOPLE = /^(?:curl|Wget|Mozilla\/5\.0)/;
/** The values that Go parses as true. */
const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/**
 * Whether the route can produce an acceptable response.
 * @param more media types besides those of objects
 * @throws ApiError 406
 */
export function checkAcceptable(context: RequestContext, streams: boolean, more: readonly string[] = []): void {
  const { accept } = context.exchange.headers;
  if (accept === 'application/json') return;
  const offers = offersOf(context);
  // Media types whose parameter marks a stream are compared without it.
  const available = [...more, ...offers.representations, ...(streams ? offers.streams : [])];
  if (!acceptsAny(accept, available)) throw errors.noRepresentation(available);
}

/** The format of the response for a resource or subresource. @throws ApiError 406 */
export function resourceFormat(context: RequestContext, { codec, subresources }: FormOffered): Format {
  const offers = offersOf(context);
  if (subresources[context.info.subresource]?.tables === false) return chooseFormat(context, offers.unstored);
  return chooseFormat(context, codec.hasProtobuf ? offers.resources : offers.customResources);
}

type FormOffered = Pick<ResourceDefinition, 'codec' | 'subresources'>;

/** The format of a response that is not a stored object: reviews, tokens, bindings, evictions. @throws ApiError 406 */
export function unstoredFormat(context: RequestContext): Format {
  return chooseFormat(context, offersOf(context).unstored);
}

/** The format of watch events: a media type that can be streamed. @throws ApiError 406 */
export function watchFormat(context: RequestContext, { hasProtobuf }: Codec): Format {
  const { accept } = context.exchange.headers;
  const offers = offersOf(context);
  const found = negotiate(accept, hasProtobuf ? offers.resources : offers.customResources);
  if (found === undefined) throw errors.notAcceptable(offers.representations);
  if (!found.streams) throw errors.notAcceptable(offers.streams);
  const format = formatOf(context, found);
  return { ...format, contentType: STREAM_TYPES[format.media] ?? format.contentType, pretty: false };
}

/** Media types of streams, if they differ from those of their documents. */
const STREAM_TYPES: Readonly<Record<string, string | undefined>> = lookup({
  protobuf: `${PROTOBUF_TYPE};stream=watch`,
  cbor: CBOR_SEQUENCE_TYPE,
});

/** Indented JSON regardless of the client's preferences. @throws ApiError 406 if JSON is not accepted */
export function indentedJson(context: RequestContext): Format {
  if (!acceptsAny(context.exchange.headers.accept, [JSON_TYPE.mediaType])) {
    throw errors.noRepresentation([JSON_TYPE.mediaType]);
  }
  return { ...JSON_FORMAT, pretty: true };
}

/**
 * The format of discovery documents.
 * @param types of a document about one group version: those of resources, or without CBOR in any case
 * @throws ApiError 406
 */
export function documentFormat(context: RequestContext, types?: 'of resources' | 'without CBOR'): Format {
  const hasCbor = types === undefined ? context.services.settings.cborDocuments : types === 'of resources';
  const offers = hasCbor ? offersOf(context) : WITHOUT_CBOR;
  return chooseFormat(context, offers.versionDocuments, offers.representations);
}

/** The format of errors for clients that accept no form of Status. */
const UNASKED: Format = { ...JSON_FORMAT, pretty: true, isUnasked: true };

/**
 * The format of an error: what the client accepts, unless that is a transformation of objects; indented JSON otherwise.
 */
export function errorFormat(context: RequestContext): Format {
  const found = negotiate(context.exchange.headers.accept, offersOf(context).versionDocuments);
  return found === undefined ? UNASKED : formatOf(context, found);
}

/** @param accepted the media types that an error names */
function chooseFormat(
  context: RequestContext,
  offer: NegotiationOffer,
  accepted: readonly string[] = offersOf(context).representations,
): Format {
  const { accept } = context.exchange.headers;
  if (accept === 'application/json' && context.query.empty && !looksIn(context)) return JSON_FORMAT;
  const found = negotiate(accept, offer);
  if (found === undefined) throw errors.notAcceptable(accepted);
  return formatOf(context, found);
}

const MEDIA: Readonly<Record<string, Format['media'] | undefined>> = lookup({
  [YAML_TYPE.mediaType]: 'yaml',
  [PROTOBUF_TYPE]: 'protobuf',
  [CBOR_TYPE]: 'cbor',
});

/** The format of what was negotiated otherwise, without a transformation. */
export function negotiatedFormat(context: RequestContext, found: Negotiated): Format {
  return { ...formatOf(context, { ...found, transformation: undefined }), as: undefined };
}

function formatOf(context: RequestContext, { mediaType, transformation, pretty }: Negotiated): Format {
  const media = MEDIA[mediaType] ?? 'json';
  return {
    media,
    contentType: mediaType,
    ...(media === 'cbor' ? { random: context.services.random } : {}),
    pretty: (media === 'json' || media === 'yaml') && isPretty(context, pretty),
    as:
      transformation === undefined
        ? undefined
        : {
            kind: transformation.kind as 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList',
            version: transformation.version as MetaVersion,
          },
  };
}

/**
 * Indented if requested in Accept or the query, and for browsers and command-line tools unless the query disables it.
 */
function isPretty(context: RequestContext, accepted: boolean): boolean {
  const asked = context.query.text('pretty');
  return accepted || (asked === '' ? looksIn(context) : TRUE.has(asked));
}

function looksIn({ exchange }: RequestContext): boolean {
  return PEOPLE.test(exchange.headers['user-agent'] ?? '');
}
