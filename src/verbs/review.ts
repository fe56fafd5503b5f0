// Common path of reviews: a body is read, admitted and checked like an object to be created, and never stored.

import { type ApiError, errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { replacing } from './admitted-object.ts';
import type { WriteContext } from './create.ts';
import { decodeBody } from './decode-body.ts';
import { settleNamespace } from './object-metadata.ts';
import type { RequestBody, ResourceRequest } from './resource-request.ts';
import { writeOptions } from './write-options.ts';

/** The review in a body. @throws ApiError 400 and 422 */
export async function readReview(
  { registry, admission }: WriteContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<ApiObject> {
  const { fieldValidation, dryRun } = writeOptions(request.query, 'CreateOptions');
  const rules = registry.strategyContext(request.user);
  const review = decodeBody(request, body, { fieldValidation, rules });
  settleNamespace(request, review);
  await admission.admitWhole({
    ...{ request, operation: 'create', object: review, previous: undefined, dryRun },
    replace: replacing(registry, { request, object: review }),
  });
  const found = request.definition.strategy.validate?.(review, rules) ?? [];
  // Reviews of access are refused without naming a kind.
  if (found.length > 0) throw refused(request, found);
  return review;
}

function refused({ definition }: ResourceRequest, found: Parameters<typeof errors.invalid>[1]): ApiError {
  return errors.invalid({ group: definition.group, kind: '', name: '' }, found);
}
