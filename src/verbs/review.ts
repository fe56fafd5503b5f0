// Common path of reviews: the body is decoded, admitted and validated like an object to be created, but not stored.

import { type ApiError, errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { isLater } from '../base/soon.ts';
import { carriedOut } from '../base/steps.ts';
import { replacing } from './admitted-object.ts';
import { decodingBody } from './decode-body.ts';
import { withOwnedMembers } from './empty-members.ts';
import { settleNamespace } from './object-metadata.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { trackCreation } from './ownership.ts';
import { inReleaseWords } from './release-errors.ts';
import type { RequestBody, ResourceRequest } from './resource-request.ts';
import { Write, type WriteContext } from './write.ts';
import { writeOptions } from './write-options.ts';

/** The review in a body. @throws ApiError 400 and 422 */
export async function readReview(
  context: WriteContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<ApiObject> {
  const { turn } = body;
  const write = new Write(context, request, { ...writeOptions(request, 'CreateOptions'), turn });
  const { dryRun } = write;
  const decoding = carriedOut(decodingBody(write, body), turn);
  const review = isLater(decoding) ? await decoding : decoding;
  settleNamespace(request, review);
  dropRepeatedOwners(request, review);
  await trackCreation(write, review);
  await write.admission.admitWhole({
    ...{ request, operation: 'create', object: review, previous: undefined, dryRun },
    replace: replacing(write, review),
  });
  const { strategy } = request.definition;
  strategy.dropGated?.(review, write.strategyContext());
  const validating = write.inSlices(() => strategy.validate?.(review, write.strategyContext()) ?? []);
  const found = isLater(validating) ? await validating : validating;
  // Errors of access reviews do not name a kind.
  if (found.length > 0) throw refused(request, found);
  // kind and apiVersion come first, even if the client omitted them. Without storage, empty lists stay in an answer.
  return { kind: review.kind, apiVersion: review.apiVersion, ...withOwnedMembers(review, write.empties) };
}

function refused({ definition }: ResourceRequest, found: Parameters<typeof errors.invalid>[1]): ApiError {
  return errors.invalid({ group: definition.group, kind: '', name: '' }, inReleaseWords(found, definition));
}
