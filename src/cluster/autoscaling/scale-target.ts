// The workload that an autoscaler scales: any whose resource has a scale.

import { parseApiVersion } from '../../api/group-version.ts';
import type { HorizontalPodAutoscaler } from '../../resources/builtin/autoscaling/v2-objects.ts';
import { hasScale, type ScalePlace, type Scales } from '../scales.ts';

/** @throws Error with Kubernetes' message if there is no such resource, or it has no scale */
export function targetOf({ metadata, spec }: HorizontalPodAutoscaler, scales: Scales): ScalePlace {
  const { apiVersion = '', kind = '', name = '' } = spec?.scaleTargetRef ?? {};
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  const definition = scales.resourceOf({ apiVersion, kind });
  if (definition === undefined) throw new Error(`no matches for kind "${kind}" in group "${parsed.group}"`);
  if (!hasScale(definition)) throw new Error('the server could not find the requested resource');
  return { definition, namespace: metadata.namespace ?? '', name };
}
