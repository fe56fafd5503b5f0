// The plugin PodGroupWorkloadExists of 1.36: a new PodGroup that names a Workload needs that Workload and its template.

import { isObject } from '../api/is-object.ts';
import { goQuote } from '../base/go-quote.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { at, listAt, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, refusal } from './concerns.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { POD_GROUPS } from './resources.ts';

const WORKLOADS = { group: 'scheduling.k8s.io', resource: 'workloads' };

/** @param isOn the feature gate GenericWorkload */
export function podGroupWorkloadExists(objects: ObjectLookup, isOn: boolean): AdmissionPlugin {
  return {
    name: 'PodGroupWorkloadExists',
    admit: (admission) => {
      if (isOn && admission.operation === 'create' && concerns(admission, POD_GROUPS)) return judge(admission, objects);
    },
  };
}

function judge(admission: AdmissionRequest, objects: ObjectLookup): Soon<void> {
  const reference = at(admission.object, 'spec', 'podGroupTemplateRef', 'workload');
  if (!isObject(reference)) return undefined;
  const [name, template] = [textAt(reference, 'workloadName'), textAt(reference, 'podGroupTemplateName')];
  const rejected = (why: string) => refusal(admission, `PodGroup rejected: ${why}`);
  return whenThere(objects.find(WORKLOADS, admission.request.namespace, name), (workload) => {
    if (workload === undefined) throw rejected(`Workload ${goQuote(name)} not found`);
    if (workload.metadata.deletionTimestamp !== undefined) {
      throw rejected(`Workload ${goQuote(name)} is being deleted`);
    }
    const templates = listAt(workload, 'spec', 'podGroupTemplates').filter(isObject);
    if (templates.some((each) => each['name'] === template)) return;
    throw rejected(`PodGroupTemplate ${goQuote(template)} not found in Workload ${goQuote(name)}`);
  });
}
