// Computations that can be resumed, as the steps of a write run them: at once for a short object, in slices for a long one.

import { copyingJson } from '../api/json-writer.ts';
import type { ApiObject } from '../api/object.ts';
import { resumed } from '../base/resumed.ts';
import type { Turn } from '../base/short-turns.ts';
import type { Soon } from '../base/soon.ts';
import { inTurns, type Steps } from '../base/steps.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { carryTexts, copyWithTexts } from '../schema/opaque-text.ts';

/** At once without a turn, otherwise in slices. */
export function computed<Result>(compute: () => Result, turn: Turn | undefined): Soon<Result> {
  return turn === undefined ? compute() : inTurns(computing(compute), turn);
}

/** A computation in steps. */
export function computing<Result>(compute: () => Result): Steps<Result> {
  return resumed(compute, () => performance.now());
}

type Copied = Pick<ResourceDefinition, 'codec' | 'storage'>;

/** A deep copy of an object of the storage version. */
export function copyObject({ codec, storage }: Copied, object: ApiObject): ApiObject {
  return copyWithTexts(codec.typeOf(storage.schema), object);
}

/** Like copyObject: at once without a turn, otherwise in slices. */
export function copiedObject(definition: Copied, object: ApiObject, turn: Turn | undefined): Soon<ApiObject> {
  return turn === undefined ? copyObject(definition, object) : inTurns(copyingObject(definition, object), turn);
}

function* copyingObject({ codec, storage }: Copied, object: ApiObject): Steps<ApiObject> {
  const copy = (yield* copyingJson(object)) as ApiObject;
  const type = codec.typeOf(storage.schema);
  if (type !== undefined) carryTexts(type, { from: object, to: copy });
  return copy;
}
