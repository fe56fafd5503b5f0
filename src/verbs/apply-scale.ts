// Server-side apply of a Scale: the replicas of a workload, owned like any other field, through the subresource.

import type { ApiObject, JsonObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { SCALE_VERSION } from '../apply/scale-entries.ts';
import { builtinType } from '../resources/builtin/types.ts';
import { decodeObject } from '../schema/decode.ts';
import { type ApplyBody, checkedConfiguration, checkTypes, fitting, noteDuplicates, runApply } from './apply.ts';
import type { ResourceRequest } from './resource-request.ts';
import { typedScale, writeScale } from './scale.ts';
import type { WriteContext } from './write.ts';
import { writeOptions } from './write-options.ts';

/** @throws ApiError 400, 404, 409, 422 and 500 */
export async function applyScale(
  context: WriteContext,
  request: ResourceRequest,
  body: Pick<ApplyBody, 'parse'>,
): Promise<ApiObject> {
  const options = writeOptions(request, 'PatchOptions', true);
  return writeScale(context, request, {
    options,
    next: async ({ scale, managers }) => {
      const { value, duplicates } = await body.parse();
      const configuration = checkedConfiguration(value, { kind: 'Scale', apiVersion: SCALE_VERSION });
      const live = typedScale(scale);
      checkTypes(configuration, live.type, { isLong: false });
      const result = runApply(
        {
          live,
          empty: typedScale(decodeObject(builtinType('autoscaling', 'v1', 'Scale'), {}).value),
          applied: configuration,
          by: { name: options.fieldManager, subresource: request.subresource },
          force: options.force,
          convert: () => undefined,
          ignored: undefined,
          now: timestamp(context.registry.clock.now()),
        },
        managers,
      );
      noteDuplicates(request, options, duplicates);
      const applied = result.object === undefined ? scale : decoded(result.object, configuration);
      return { scale: applied as ApiObject, managers: result.managers };
    },
  });
}

function decoded(object: JsonObject, configuration: JsonObject): unknown {
  return fitting(configuration, () => {
    return decodeObject(builtinType('autoscaling', 'v1', 'Scale'), object, { restores: true }).value;
  });
}
