// The plugin JobValidation of 1.36: the parallelism of a Job whose pods are scheduled as a gang cannot be changed.

import type { ApiObject } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { at, textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns, refusal } from './concerns.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { POD_GROUPS } from './resources.ts';

const JOBS = { group: 'batch', resource: 'jobs' };

/** @param isOn the feature gate GenericWorkload, which WorkloadWithJob needs */
export function jobValidation(objects: ObjectLookup, isOn: boolean): AdmissionPlugin {
  return {
    name: 'JobValidation',
    admit: (admission) => {
      if (isOn && admission.operation === 'update' && concerns(admission, JOBS)) return judge(admission, objects);
    },
  };
}

function judge(admission: AdmissionRequest, objects: ObjectLookup): Soon<void> {
  const { object, previous, request } = admission;
  if (at(object, 'spec', 'parallelism') === at(previous, 'spec', 'parallelism')) return undefined;
  const named = textAt(previous, 'spec', 'template', 'spec', 'schedulingGroup', 'podGroupName');
  if (named !== '') {
    return whenThere(objects.find(POD_GROUPS, request.namespace, named), (found) => refuseGang(admission, found));
  }
  return whenThere(objects.all(POD_GROUPS, request.namespace), (all) => {
    refuseGang(
      admission,
      all.find((each) => isGang(each) && isControlledBy(each, previous)),
    );
  });
}

function refuseGang(admission: AdmissionRequest, podGroup: ApiObject | undefined): void {
  if (podGroup === undefined || !isGang(podGroup)) return;
  const name = goQuote(podGroup.metadata.name ?? '');
  throw refusal(admission, `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${name}`);
}

function isGang(podGroup: ApiObject): boolean {
  return at(podGroup, 'spec', 'schedulingPolicy', 'gang') !== undefined;
}

function isControlledBy({ metadata }: ApiObject, owner: ApiObject | undefined): boolean {
  return (
    metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === owner?.metadata.uid) === true
  );
}
