// The rules of ResourceQuotas and LimitRanges, with the errors that kube-apiserver has recorded.

import { refusals } from '../../../../../test/contract/refusals.ts';
import type { JsonObject } from '../../../../api/object.ts';

/** A LimitRange with these limits. */
const limitRange = (...limits: JsonObject[]): JsonObject => ({ spec: { limits } });
const quota = (spec: JsonObject): JsonObject => ({ spec });

refusals('resourcequotas', [
  [
    'a negative amount',
    quota({ hard: { pods: '-1' } }),
    'spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'a fraction of a pod',
    quota({ hard: { pods: '1.5' } }),
    'spec.hard[pods]: Invalid value: "1500m": must be an integer',
  ],
  [
    'an unknown resource',
    quota({ hard: { 'unknown-resource': '1' } }),
    'spec.hard[unknown-resource]: Invalid value: "unknown-resource": must be a standard resource type or fully qualified',
    'spec.hard[unknown-resource]: Invalid value: "unknown-resource": must be a standard resource for quota',
  ],
  [
    'the scope BestEffort of requests',
    quota({ hard: { 'requests.cpu': '1' }, scopes: ['BestEffort'] }),
    'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
  ],
  [
    'scopes that exclude each other',
    quota({ hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] }),
    'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
  ],
  [
    'an unknown scope',
    quota({ hard: { pods: '1' }, scopes: ['Sometimes'] }),
    'spec.scopes: Invalid value: ["Sometimes"]: unsupported scope',
  ],
  [
    'a scope of pods for services',
    quota({ hard: { services: '1' }, scopes: ['Terminating'] }),
    'spec.scopes: Invalid value: ["Terminating"]: unsupported scope applied to resource',
  ],
  [
    'a scope selector with In and no values',
    quota({
      hard: { pods: '1' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] },
    }),
    "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
  ],
  [
    'a scope selector with a value of a scope that has none',
    quota({
      hard: { pods: '1' },
      scopeSelector: { matchExpressions: [{ scopeName: 'Terminating', operator: 'In', values: ['x'] }] },
    }),
    'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
  ],
  [
    'a scope selector with an unknown operator',
    quota({
      hard: { cpu: '4' },
      scopes: ['NotTerminating'],
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Is', values: ['high'] }] },
    }),
    'spec.scopeSelector.matchExpressions.operator: Invalid value: "Is": not a valid selector operator',
  ],
  [
    'a scope selector with Exists and a value',
    quota({
      hard: { cpu: '4' },
      scopes: ['NotTerminating'],
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }] },
    }),
    "spec.scopeSelector.matchExpressions.values: Invalid value: [\"a\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
  ],
  [
    'an empty expression in a scope selector',
    quota({ hard: { cpu: '4' }, scopes: ['NotTerminating'], scopeSelector: { matchExpressions: [{}] } }),
    'spec.scopeSelector.matchExpressions.scopeName: Invalid value: "": unsupported scope',
    'spec.scopeSelector.matchExpressions.operator: Invalid value: "": not a valid selector operator',
  ],
]);

refusals('limitranges', [
  [
    'a minimum above the maximum, with all that follows from it',
    limitRange({ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }),
    'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
    'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
  ],
  [
    'a default above the maximum',
    limitRange({ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' } }),
    'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1',
    'spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1',
  ],
  [
    'a default request above the default',
    limitRange({ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } }),
    'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
  ],
  [
    'a default request below the minimum',
    limitRange({ type: 'Container', min: { cpu: '1' }, defaultRequest: { cpu: '500m' } }),
    'spec.limits[0].defaultRequest[cpu]: Invalid value: "500m": min value 1 is greater than default request value 500m',
  ],
  [
    'defaults of pods',
    limitRange({ type: 'Pod', default: { cpu: '1' } }),
    "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
  ],
  [
    'a ratio below one',
    limitRange({ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }),
    'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
  ],
  [
    'a ratio above that of maximum and minimum',
    limitRange({ type: 'Container', max: { cpu: '4' }, min: { cpu: '1' }, maxLimitRequestRatio: { cpu: '5' } }),
    'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "5": ratio 5 is greater than max/min = 4.000000',
  ],
  [
    'limits of claims without storage',
    limitRange({ type: 'PersistentVolumeClaim', max: { cpu: '1' } }),
    'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
  ],
  [
    'a type twice',
    limitRange({ type: 'Container', max: { memory: '1Gi' } }, { type: 'Container', max: { memory: '2Gi' } }),
    'spec.limits[1].type: Duplicate value: "Container"',
  ],
  [
    'no type',
    limitRange({ max: { memory: '1Gi' } }),
    'spec.limits[0].type: Invalid value: "": name part must be non-empty',
    'spec.limits[0].type: Invalid value: "": name part must consist',
  ],
  [
    'huge pages with a request that is not the default',
    limitRange({ type: 'Container', default: { 'hugepages-2Mi': '4Mi' }, defaultRequest: { 'hugepages-2Mi': '2Mi' } }),
    'spec.limits[0].defaultRequest[hugepages-2Mi]: Invalid value: "2Mi": default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi',
  ],
]);
