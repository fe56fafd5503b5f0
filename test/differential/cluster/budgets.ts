// Random disruption budgets, and quotas for what their namespaces may contain.

import { type Chooser, created, type Step } from './step.ts';

export function budgets(choose: Chooser): Step[] {
  const spec = {
    selector: choose<object>({ matchLabels: { app: choose('d', 's') } }, {}),
    ...choose<object>({ minAvailable: choose<unknown>(1, '50%') }, { maxUnavailable: choose<unknown>(1, '40%') }),
    ...choose<object>({}, { unhealthyPodEvictionPolicy: choose('IfHealthyBudget', 'AlwaysAllow') }),
  };
  return [created('apis/policy/v1/NS/poddisruptionbudgets', { name: 'b' }, { spec })];
}

export function quotas(choose: Chooser): Step[] {
  const hard = choose<object>(
    { pods: '20', 'requests.cpu': '3', 'count/replicasets.apps': '9' },
    { 'count/deployments.apps': '4', services: '3', 'services.nodeports': '1', persistentvolumeclaims: '2' },
    { secrets: '5', replicationcontrollers: '7', 'requests.storage': '3Gi', 'example.com/none': '1' },
    { 'count/jobs.batch': '3', 'count/endpointslices.discovery.k8s.io': '9', configmaps: '2', 'limits.memory': '1Gi' },
    { 'standard.storageclass.storage.k8s.io/requests.storage': '9Gi', 'count/events': '500' },
  );
  const terms = [{ scopeName: 'PriorityClass', operator: choose('Exists', 'DoesNotExist') }];
  const scopes = choose<object>(...[{}, {}, { scopes: ['NotTerminating'] }, { scopes: ['BestEffort'] }], {
    scopeSelector: { matchExpressions: terms },
  });
  const isOfPods = Object.keys(scopes).length > 0;
  const spec = { hard: isOfPods ? { pods: choose('2', '9') } : hard, ...scopes };
  return [created('api/v1/NS/resourcequotas', { name: 'q' }, { spec })];
}
