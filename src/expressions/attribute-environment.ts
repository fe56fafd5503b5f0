// CEL environment of the selectors of resource.k8s.io/v1alpha2, which Kubernetes 1.30 alone has: the attributes of an
// instance, a map by name for each type of value.

import { SEMVER_TYPE } from '../cel/library/semantic-version.ts';
import { SEMVER } from '../cel/library/semver.ts';
import { BOOL, INT, listOf, mapOf, STRING } from '../cel/types/type.ts';
import type { Environments } from './environments.ts';
import { QUANTITY_TYPE } from './quantity.ts';

const VARIABLES = Object.entries({
  quantity: QUANTITY_TYPE,
  bool: BOOL,
  int: INT,
  intslice: listOf(INT),
  string: STRING,
  stringslice: listOf(STRING),
  version: SEMVER_TYPE,
}).map(([name, type]) => ({ name: `attributes.${name}`, type: mapOf(STRING, type) }));

/** The environments of those selectors, based on those of Kubernetes. */
export function attributeEnvironments(environments: Environments): Environments {
  return {
    for: (expression) => environments.for(expression).extend({ libraries: [SEMVER], variables: VARIABLES }),
  };
}
