// The rules of where a pod may run, with the errors that kube-apiserver has recorded.

import { refusals } from '../../../../../test/contract/refusals.ts';
import type { JsonObject } from '../../../../api/object.ts';

const WEB: JsonObject = { name: 'web', image: 'nginx:1.27' };
/** A sound pod with these members of its spec. */
const pod = (spec: JsonObject): JsonObject => ({
  spec: { automountServiceAccountToken: false, containers: [WEB], ...spec },
});
/** A pod that requires nodes by these terms. */
const nodes = (...terms: JsonObject[]): JsonObject =>
  pod({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } } });
/** A pod that requires other pods by this term. */
const near = (term: JsonObject): JsonObject =>
  pod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } });
const APP: JsonObject = { matchLabels: { app: 'web' } };
/** A pod with a spread constraint of these members. */
const spread = (more: JsonObject): JsonObject =>
  pod({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: APP, ...more },
    ],
  });

refusals('pods', [
  [
    'a value of the node selector that is no label value',
    pod({ nodeSelector: { disk: 'a b' } }),
    'spec.nodeSelector: Invalid value: "a b": a valid label must',
  ],
  [
    'a scheduling gate twice',
    pod({ schedulingGates: [{ name: 'a' }, { name: 'a' }] }),
    'spec.schedulingGates[1]: Duplicate value: "a"',
  ],
  [
    'a scheduling gate with a space',
    pod({ schedulingGates: [{ name: 'a b' }] }),
    'spec.schedulingGates[0]: Invalid value: "a b": name part must consist',
  ],
  [
    'a toleration with Exists and a value',
    pod({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
    'spec.tolerations[0].operator: Invalid value: "b": value must be empty when `operator` is \'Exists\'',
  ],
  [
    'a toleration of a value of every key',
    pod({ tolerations: [{ operator: 'Equal', value: 'b' }] }),
    'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ],
  [
    'a toleration for a time of another effect than NoExecute',
    pod({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }] }),
    'spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
  ],
  [
    'a node affinity without terms',
    nodes(),
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
  ],
  [
    'an unknown operator of a node affinity',
    nodes({ matchExpressions: [{ key: 'a', operator: 'Equals', values: ['b'] }] }),
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: "Equals": not a valid selector operator',
  ],
  [
    'a node affinity with Exists and a value',
    nodes({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }),
    "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  ],
  [
    'a node affinity with Gt and two values',
    nodes({ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1', '2'] }] }),
    "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
  ],
  [
    'a node affinity by a field with two values',
    nodes({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }] }),
    "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
  ],
  [
    'a weight above 100',
    pod({
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, podAffinityTerm: { topologyKey: 'a' } }],
        },
      },
    }),
    'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
  ],
  [
    'a pod affinity without a topology key',
    near({ topologyKey: '', labelSelector: APP }),
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must consist',
  ],
  [
    'a pod affinity to a namespace that is no label',
    near({ topologyKey: 'zone', labelSelector: APP, namespaces: ['A_b'] }),
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace: Invalid value: "A_b": a lowercase RFC 1123 label must consist of',
  ],
  [
    'a pod affinity by label keys without a selector',
    near({ topologyKey: 'zone', matchLabelKeys: ['app'] }),
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
  ],
  [
    'a spread constraint without a topology key',
    spread({ topologyKey: '' }),
    'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
  ],
  [
    'a spread constraint with an unknown action',
    spread({ whenUnsatisfiable: 'Wait' }),
    'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Wait": supported values: "DoNotSchedule", "ScheduleAnyway"',
  ],
  [
    'a spread constraint over no domains',
    spread({ minDomains: 0 }),
    'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
  ],
  [
    'a spread constraint with an unknown policy',
    spread({ nodeAffinityPolicy: 'Maybe' }),
    'spec.topologySpreadConstraints[0].nodeAffinityPolicy: Unsupported value: "Maybe": supported values: "Honor", "Ignore"',
  ],
]);
