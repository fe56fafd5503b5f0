// The type of a patch, by its media type. Like kube-apiserver, this reads the Content-Type twice: the route of a built-in
// resource parses it as a list, while the handler of the patch expects a single type before the parameters.

import { errors } from '../../api/errors.ts';
import { lookup } from '../../base/lookup.ts';
import type { Codec } from '../../resources/codec.ts';
import type { PatchType } from '../../verbs/patch.ts';
import type { RequestContext } from '../request-context.ts';

const PATCH_TYPES: Record<string, PatchType> = lookup({
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
});

const APPLY_YAML_TYPE = 'application/apply-patch+yaml';
export const APPLY_CBOR_TYPE = 'application/apply-patch+cbor';

/** The media types of an apply, whose body is read in apply-body.ts. */
function applyTypes({ services }: RequestContext): readonly string[] {
  return services.settings.cbor ? [APPLY_YAML_TYPE, APPLY_CBOR_TYPE] : [APPLY_YAML_TYPE];
}

/** Whether a patch is an apply, according to its media type. */
export function isApply(context: RequestContext): boolean {
  return applyTypes(context).includes(patchType(context));
}

/** The Content-Type without its parameters; blanks in front of them are part of it. */
export function patchType({ exchange }: RequestContext): string {
  const header = exchange.headers['content-type'] ?? '';
  const end = header.indexOf(';');
  return end > 0 ? header.slice(0, end) : header;
}

function supportedTypes(context: RequestContext, { hasStrategicPatch }: Codec): string[] {
  const merged = Object.keys(PATCH_TYPES).filter((each) => hasStrategicPatch || PATCH_TYPES[each] !== 'strategic');
  return [...merged, ...applyTypes(context)];
}

/**
 * The type of a patch other than an apply.
 * @throws ApiError 415
 */
export function mergedPatchType(context: RequestContext, codec: Codec): PatchType {
  const named = patchType(context);
  const types = supportedTypes(context, codec);
  if (!types.includes(named)) throw errors.unsupportedMediaType(types);
  return PATCH_TYPES[named]!;
}

/**
 * Checks that patches of this media type are supported at all, which comes before the check whether the response can
 * have a media type that the client accepts.
 * @throws ApiError 415
 */
export function checkPatchType(context: RequestContext, codec: Codec): void {
  if (!codec.hasStrategicPatch) {
    if (!isApply(context)) mergedPatchType(context, codec);
    return;
  }
  const types = supportedTypes(context, codec);
  const header = context.exchange.headers['content-type'] ?? '';
  const isRouted = header.split(',').some((each) => types.includes(withoutBlanks(each.split(';', 1)[0]!)));
  if (!isRouted) throw errors.unsupportedPatchType();
}

/** Without blanks at its ends; other white space stays. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}
