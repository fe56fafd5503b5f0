// Conversion of LeaseCandidates of coordination.k8s.io/v1alpha1, which has a list of strategies where later versions have
// one.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { Conversion } from '../definition.ts';
import { listAt } from '../value.ts';

/** Of several strategies only the first, which is preferred, has a place in what is stored. */
export const leaseCandidateV1alpha1: Conversion = {
  toStorage: (candidate) => {
    const [strategy] = listAt(candidate, 'spec', 'preferredStrategies');
    return withSpec(candidate, ({ preferredStrategies: _, ...spec }) => ({
      ...spec,
      ...(strategy !== undefined && { strategy }),
    }));
  },
  fromStorage: (candidate) =>
    withSpec(candidate, ({ strategy, ...spec }) => ({
      ...spec,
      ...(strategy !== undefined && { preferredStrategies: [strategy] }),
    })),
};

function withSpec(candidate: ApiObject, convert: (spec: JsonObject) => JsonObject): ApiObject {
  const spec = candidate['spec'];
  return isObject(spec) ? { ...candidate, spec: convert(spec) } : candidate;
}
