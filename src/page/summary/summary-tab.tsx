// The summary of an object: what it is and how it is at first sight, what it consists of, what it hangs together with, and
// what happened to it.

import { RevisionSection } from '../actions/revision-section.tsx';
import type { Resource } from '../cluster/discovery.ts';
import { ObjectEvents } from '../object/events-tab.tsx';
import type { ApiObject, LiveObject } from '../object/live-object.ts';
import { kindOf } from '../relations/links.ts';
import { at } from '../relations/members.ts';
import { ConditionTable } from './condition-table.tsx';
import { ContainerTable } from './container-table.tsx';
import { containersOf } from './containers.ts';
import { DataSection } from './data-section.tsx';
import type { Fact } from './fact.ts';
import { FactList } from './fact-list.tsx';
import { factsOf, hasOwnSummary } from './facts.ts';
import { ForwardSection } from './forward-section.tsx';
import { MemberSection } from './member-sections.tsx';
import { MemberTables } from './member-tables.tsx';
import { shownMembers } from './members-shown.ts';
import { RelatedSection } from './related-section.tsx';

interface SummaryTabProps {
  readonly live: LiveObject;
  readonly resource: Resource;
}

export function SummaryTab({ live, resource }: SummaryTabProps) {
  const object = live.object.value;
  if (object === undefined) return <p class="empty">Loading…</p>;
  const kind = kindOf(resource);
  const { facts, tables } = hasOwnSummary(kind) ? { facts: factsOf(kind, object), tables: [] } : shownMembers(object);
  return (
    <div class="scroll sections summary" key={object.metadata.uid}>
      <FactList label="Summary" facts={[...facts, ...ownerFacts(object)]} />
      <MemberTables tables={tables} />
      <Containers kind={kind} object={object} />
      <ConditionTable object={object} />
      {kind === '/pods' && <ForwardSection pod={object} />}
      <DataSection kind={kind} object={object} />
      <MemberSection kind={kind} object={object} />
      <RevisionSection live={live} resource={resource} object={object} />
      <RelatedSection resource={resource} object={object} />
      <LabelSection object={object} />
      <section>
        <h2>Events</h2>
        <ObjectEvents live={live} resource={resource} />
      </section>
    </div>
  );
}

function ownerFacts({
  metadata: { ownerReferences = [], namespace = '', deletionTimestamp = '', finalizers = [] },
}: ApiObject): readonly Fact[] {
  return [
    ...ownerReferences.map(({ apiVersion, kind, name, controller }, at) => ({
      label: `${controller === true ? 'Controlled by' : 'Owned by'} ${kind}${at === 0 ? '' : ` (${at + 1})`}`,
      text: name,
      to: { apiVersion, kind, namespace, name },
    })),
    ...(deletionTimestamp === '' ? [] : [{ label: 'Deletion', text: '', time: deletionTimestamp }]),
    ...(finalizers.length === 0 ? [] : [{ label: 'Finalizers', text: finalizers.join(', ') }]),
  ];
}

/** Where kinds have containers: in their spec, or in that of their template. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  '/pods': [],
  'apps/deployments': ['spec', 'template'],
  'apps/replicasets': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'apps/daemonsets': ['spec', 'template'],
  'batch/jobs': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
};

function Containers({ kind, object }: { readonly kind: string; readonly object: ApiObject }) {
  const path = Object.hasOwn(TEMPLATES, kind) ? TEMPLATES[kind] : undefined;
  if (path === undefined) return null;
  return (
    <section>
      <h2>Containers</h2>
      <ContainerTable containers={containersOf(at(object, ...path))} hasStates={path.length === 0} />
    </section>
  );
}

function LabelSection({ object: { metadata } }: { readonly object: ApiObject }) {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([name]) => name !== LAST_APPLIED);
  return (
    <>
      <Pairs title="Labels" pairs={Object.entries(metadata.labels ?? {})} />
      <Pairs title="Annotations" pairs={annotations} />
    </>
  );
}

/** The whole object again. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

interface PairsProps {
  readonly title: string;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

function Pairs({ title, pairs }: PairsProps) {
  if (pairs.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="pairs" aria-label={title}>
        {pairs.map(([name, value]) => (
          <li key={name}>
            <code>
              <span class="weak">{name}</span>
              {value !== '' && `=${value}`}
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}
