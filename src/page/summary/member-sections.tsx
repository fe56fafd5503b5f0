// The objects that make up another: the pods of a workload, a Service or a node, and the Jobs of a CronJob.

import type { JSX } from 'preact';
import { type Resource, resourcePath, resources } from '../cluster/discovery.ts';
import { useLiveTable } from '../cluster/use-live-table.ts';
import type { ApiObject } from '../object/live-object.ts';
import { kindOf } from '../relations/links.ts';
import { at } from '../relations/members.ts';
import { RowTable } from './row-table.tsx';
import { selectorText } from './selector-text.ts';

interface MembersProps {
  readonly object: ApiObject;
}

/** By group and plural name of the kind that has them. */
const SECTIONS: Readonly<Record<string, (props: MembersProps) => JSX.Element | null>> = {
  'apps/deployments': SelectedPods,
  'apps/replicasets': SelectedPods,
  'apps/statefulsets': SelectedPods,
  'apps/daemonsets': SelectedPods,
  'batch/jobs': SelectedPods,
  '/services': ServicePods,
  '/nodes': NodePods,
  'batch/cronjobs': JobsOfCronJob,
};

export function MemberSection({ kind, object }: MembersProps & { readonly kind: string }) {
  const Section = Object.hasOwn(SECTIONS, kind) ? SECTIONS[kind] : undefined;
  return Section === undefined ? null : <Section object={object} />;
}

function SelectedPods({ object }: MembersProps) {
  return (
    <Pods namespace={object.metadata.namespace ?? ''} labelSelector={selectorText(at(object, 'spec', 'selector'))} />
  );
}

function ServicePods({ object }: MembersProps) {
  const labelSelector = selectorText({ matchLabels: at(object, 'spec', 'selector') });
  return <Pods namespace={object.metadata.namespace ?? ''} labelSelector={labelSelector} />;
}

function Pods({ namespace, labelSelector }: { readonly namespace: string; readonly labelSelector: string }) {
  const resource = resourceOf('/pods');
  // An empty selector would find all pods.
  if (resource === undefined || labelSelector === '') return null;
  return (
    <Members title="Pods" resource={resource} namespace={namespace} query={{ labelSelector }} also={['Node', 'IP']} />
  );
}

function NodePods({ object }: MembersProps) {
  const resource = resourceOf('/pods');
  if (resource === undefined) return null;
  const fieldSelector = `spec.nodeName=${object.metadata.name}`;
  return <Members title="Pods" resource={resource} namespace="" query={{ fieldSelector }} />;
}

function JobsOfCronJob({ object }: MembersProps) {
  const resource = resourceOf('batch/jobs');
  if (resource === undefined) return null;
  const { uid, namespace = '' } = object.metadata;
  return <Members title="Jobs" resource={resource} namespace={namespace} query={{}} owner={uid} />;
}

interface MembersTableProps {
  readonly title: string;
  readonly resource: Resource;
  readonly namespace: string;
  readonly query: { readonly labelSelector?: string; readonly fieldSelector?: string };
  readonly also?: readonly string[];
  /** Uid of the owner of those that are shown. */
  readonly owner?: string;
}

function Members({ title, resource, namespace, query, also, owner }: MembersTableProps) {
  const table = useLiveTable(resourcePath(resource, namespace), query);
  const rows = table.rows.value.filter(
    ({ meta }) => owner === undefined || meta.ownerReferences?.some(({ uid }) => uid === owner),
  );
  return (
    <section>
      <h2>{title}</h2>
      <RowTable
        label={title}
        resource={resource}
        columns={table.columns.value}
        rows={rows}
        state={table.state.value}
        showsNamespace={namespace === ''}
        {...(also !== undefined && { also })}
      />
    </section>
  );
}

function resourceOf(kind: string): Resource | undefined {
  return resources.value.find((resource) => kindOf(resource) === kind);
}
