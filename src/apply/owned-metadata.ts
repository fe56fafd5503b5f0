// Fields that identify an object, or that the server controls: they have no owner.

import { difference, type FieldNode, type FieldSet, LEAF } from './field-set.ts';

const UNOWNED: FieldNode = Object.freeze({
  'f:apiVersion': LEAF,
  'f:kind': LEAF,
  'f:metadata': Object.freeze({
    '.': LEAF,
    'f:clusterName': LEAF,
    'f:creationTimestamp': LEAF,
    'f:generation': LEAF,
    'f:managedFields': LEAF,
    'f:name': LEAF,
    'f:namespace': LEAF,
    'f:resourceVersion': LEAF,
    'f:selfLink': LEAF,
    'f:uid': LEAF,
  }),
});

export function withoutUnowned(fields: FieldSet): FieldSet {
  return difference(fields, UNOWNED);
}
