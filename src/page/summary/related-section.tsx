// What hangs together with an object other than by ownership: what it uses, what uses it, and how it is reached.

import type { Resource } from '../cluster/discovery.ts';
import type { ApiObject } from '../object/live-object.ts';
import { kindOf } from '../relations/links.ts';
import { type RelatedObject, relatedObjects } from '../relations/related-objects.ts';
import { useNeighbours } from '../relations/use-neighbours.ts';
import { DataTable } from '../understand/data-table.tsx';
import { ObjectLink } from './fact-list.tsx';

const REACHES_PODS = [
  '/services',
  'networking.k8s.io/ingresses',
  'policy/poddisruptionbudgets',
  'networking.k8s.io/networkpolicies',
];
const USED_BY_PODS = ['/configmaps', '/secrets', '/persistentvolumeclaims', '/serviceaccounts'];
const SCALERS = ['autoscaling/horizontalpodautoscalers'];
const WORKLOADS = ['apps/deployments', 'apps/statefulsets', 'apps/daemonsets', 'batch/jobs', 'batch/cronjobs'];
const OF_WORKLOADS = [...REACHES_PODS, ...USED_BY_PODS, ...SCALERS];

/** The kinds in whose objects relations are looked for, by group and plural name. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  '/pods': [...REACHES_PODS, ...USED_BY_PODS],
  ...Object.fromEntries(['apps/replicasets', ...WORKLOADS].map((kind) => [kind, OF_WORKLOADS])),
  '/services': ['networking.k8s.io/ingresses', 'discovery.k8s.io/endpointslices', 'apps/statefulsets'],
  '/configmaps': ['/pods', ...WORKLOADS],
  '/secrets': ['/pods', ...WORKLOADS, 'networking.k8s.io/ingresses', '/serviceaccounts'],
  '/persistentvolumeclaims': ['/pods', ...WORKLOADS],
  '/serviceaccounts': ['/pods', ...WORKLOADS, 'rbac.authorization.k8s.io/rolebindings', '/secrets'],
  'networking.k8s.io/ingresses': ['/services', '/secrets'],
  'autoscaling/horizontalpodautoscalers': WORKLOADS,
  'policy/poddisruptionbudgets': ['/pods'],
  'networking.k8s.io/networkpolicies': ['/pods'],
};

interface RelatedSectionProps {
  readonly resource: Resource;
  readonly object: ApiObject;
}

export function RelatedSection(props: RelatedSectionProps) {
  const kind = kindOf(props.resource);
  const neighbours = Object.hasOwn(NEIGHBOURS, kind) ? NEIGHBOURS[kind]! : undefined;
  return neighbours === undefined ? null : <Related {...props} kinds={neighbours} />;
}

function Related({ resource, object, kinds }: RelatedSectionProps & { readonly kinds: readonly string[] }) {
  const { all, isComplete, isLoading, refused } = useNeighbours(kinds, object.metadata.namespace ?? '').value;
  const related = relatedObjects({ resource, object }, all, isComplete);
  return (
    <section>
      <h2>Related</h2>
      <DataTable
        label="Related objects"
        rows={related}
        rowKey={({ kind, namespace, name }) => [kind, namespace, name].join(' ')}
        empty={isLoading ? 'Loading…' : 'No related objects.'}
        limit={100}
        columns={[
          { title: 'Kind', cell: ({ kind }) => kind },
          { title: 'Name', cell: (one) => <Name one={one} /> },
          { title: 'How', isProse: true, cell: ({ how }) => how },
        ]}
      />
      {refused.length > 0 && (
        <p class="weak">Not looked for, because you may not list them: {refused.map(({ name }) => name).join(', ')}.</p>
      )}
    </section>
  );
}

function Name({ one }: { readonly one: RelatedObject }) {
  if (!one.isMissing) return <ObjectLink to={one} />;
  return (
    <>
      {one.name} <span class="badge bad">does not exist</span>
    </>
  );
}
