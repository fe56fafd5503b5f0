// /statusz and /flagz as objects of config.k8s.io, for programs, which kube-apiserver has since 1.36.

import { errors } from '../../api/errors.ts';
import { type NegotiationOffer, negotiate, type Transformation } from '../../api/media-type.ts';
import type { JsonObject } from '../../api/object.ts';
import type { RequestContext } from '../request-context.ts';
import { CBOR_TYPE } from '../response/cbor-bytes.ts';
import { type Format, JSON_FORMAT } from '../response/format.ts';
import { negotiatedFormat } from '../response/negotiate.ts';
import { respondError, respondValue } from '../response/value-response.ts';

const GROUP = 'config.k8s.io';
const DEPRECATED = 'v1alpha1';
const VERSIONS = ['v1beta1', DEPRECATED];
const TEXT = 'text/plain';

type DebugKind = 'Statusz' | 'Flagz';

/**
 * Responds with an object if the client asks for one.
 * @returns false if it takes text; if it takes neither, the response is an error
 */
export async function respondDebugObject(
  context: RequestContext,
  kind: DebugKind,
  content: () => JsonObject,
): Promise<boolean> {
  const { accept = '' } = context.exchange.headers;
  if (accept.trim() === '') return false;
  const offer = offerOf(kind, context.services.settings.cbor);
  const found = negotiate(accept, offer);
  if (found === undefined) {
    const refused = errors.notAcceptable(offer.mediaTypes.map(({ mediaType }) => mediaType));
    await respondError(context, refused, refusalFormat(context, offer));
    return true;
  }
  const { mediaType, transformation } = found;
  if (transformation === undefined) return false;
  const { version } = transformation;
  if (version === DEPRECATED) {
    const page = kind.toLowerCase();
    context.warnings.push(`This version of the ${page} endpoint is deprecated. Please use a newer version.`);
  }
  const contentType = `${mediaType};g=${GROUP};v=${version};as=${kind}`;
  const format = { ...negotiatedFormat(context, found), contentType };
  const value = { kind, apiVersion: `${GROUP}/${version}`, metadata: { name: 'apiserver' }, ...content() };
  await respondValue(context, { value, format, isPlain: true });
  return true;
}

/** A Status is in a type that objects have: not in protobuf, which other errors may have. */
function refusalFormat(context: RequestContext, { mediaTypes }: NegotiationOffer): Format {
  const plain = mediaTypes.filter(({ mediaType }) => mediaType !== TEXT).map(({ mediaType }) => ({ mediaType }));
  const found = negotiate(context.exchange.headers.accept, { mediaTypes: plain, transformations: [] });
  return found === undefined ? { ...JSON_FORMAT, pretty: true } : negotiatedFormat(context, found);
}

/** Objects have a version that the client names; text has none. */
function offerOf(kind: DebugKind, cbor: boolean): NegotiationOffer {
  const transformations: Transformation[] = VERSIONS.map((version) => ({ group: GROUP, version, kind }));
  const ofObjects = (mediaType: string) => ({ mediaType, untransformed: false, transformations });
  const more = cbor ? [ofObjects(CBOR_TYPE)] : [];
  return {
    mediaTypes: [
      ...['application/json', 'application/yaml'].map(ofObjects),
      { mediaType: TEXT, transformations: [] },
      ...more,
    ],
    transformations: [],
  };
}
