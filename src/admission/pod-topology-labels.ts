// The plugin PodTopologyLabels: copies the zone and region labels of a node to pods that are bound to it.

import type { ApiObject } from '../api/object.ts';
import { whenThere } from '../base/soon.ts';
import { textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { isOf, NODES, PODS } from './resources.ts';

const LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** @param isOn the feature gate PodTopologyLabelsAdmission */
export function podTopologyLabels(objects: ObjectLookup, isOn: boolean): AdmissionPlugin {
  return {
    name: 'PodTopologyLabels',
    admit(admission) {
      const { object, operation } = admission;
      if (!isOn || object === undefined || operation !== 'create') return undefined;
      const name = nodeOf(admission, object);
      if (name === '') return undefined;
      return whenThere(objects.find(NODES, '', name), (node) => {
        const own = node?.metadata.labels ?? {};
        const copied = LABELS.flatMap((label) => (own[label] === undefined ? [] : [[label, own[label]]]));
        if (copied.length === 0) return;
        object.metadata.labels = { ...object.metadata.labels, ...Object.fromEntries(copied) };
      });
    },
  };
}

/** The node in a pod's spec or in a binding; '' for none. */
function nodeOf({ request }: AdmissionRequest, object: ApiObject): string {
  const { definition, subresource } = request;
  if (!isOf(PODS, definition)) return '';
  if (subresource === '') return textAt(object, 'spec', 'nodeName');
  if (subresource !== 'binding' || textAt(object, 'target', 'kind') !== 'Node') return '';
  return textAt(object, 'target', 'name');
}
