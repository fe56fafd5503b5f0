// The revisions of a workload, the newest first, with the way back to each.

import { useSignal } from '@preact/signals';
import { age } from '../browse/age.ts';
import { type Resource, resourcePath, resources } from '../cluster/discovery.ts';
import type { WholeObject } from '../cluster/live-table.ts';
import { useLiveTable } from '../cluster/use-live-table.ts';
import { DiffPage } from '../object/editor-views.tsx';
import type { ApiObject, LiveObject } from '../object/live-object.ts';
import { kindOf } from '../relations/links.ts';
import { at } from '../relations/members.ts';
import { containersOf } from '../summary/containers.ts';
import { ObjectLink } from '../summary/fact-list.tsx';
import { selectorText } from '../summary/selector-text.ts';
import { DataTable } from '../understand/data-table.tsx';
import { ActionButton } from './action-button.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { restoredFrom, revisionOf, rolledBackTo, templateOf } from './changes.ts';
import { change } from './send.ts';

interface RevisionSectionProps {
  readonly live: LiveObject;
  readonly resource: Resource;
  readonly object: ApiObject;
}

/** What keeps the revisions of a kind. */
const KEEPERS: Readonly<Record<string, string>> = {
  'apps/deployments': 'apps/replicasets',
  'apps/statefulsets': 'apps/controllerrevisions',
  'apps/daemonsets': 'apps/controllerrevisions',
};

export function RevisionSection(props: RevisionSectionProps) {
  const kind = kindOf(props.resource);
  const keeper = Object.hasOwn(KEEPERS, kind)
    ? resources.value.find((one) => kindOf(one) === KEEPERS[kind])
    : undefined;
  return keeper === undefined ? null : <Revisions {...props} keeper={keeper} />;
}

function Revisions({ live, resource, object, keeper }: RevisionSectionProps & { readonly keeper: Resource }) {
  const chosen = useSignal<WholeObject | undefined>(undefined);
  const { uid, namespace = '', name } = object.metadata;
  const labelSelector = selectorText(at(object, 'spec', 'selector'));
  const table = useLiveTable(resourcePath(keeper, namespace), { labelSelector }, 'Object');
  const revisions = table.rows.value
    .map((row) => row.object)
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid))
    .sort((a, b) => revisionOf(b) - revisionOf(a));
  const { group, name: plural } = resource;
  const isPaused = at(object, 'spec', 'paused') === true;
  const hindrance = isPaused ? 'It is paused: resume it first.' : '';
  const needs = [{ verb: 'patch', group, resource: plural, namespace, name }];
  return (
    <section>
      <h2>Revisions</h2>
      <DataTable
        label="Revisions"
        rows={revisions}
        rowKey={({ metadata }) => metadata.uid}
        empty={table.state.value.phase === 'loading' ? 'Loading…' : 'No revisions.'}
        columns={[
          { title: 'Revision', cell: (one) => revisionOf(one) || '' },
          {
            title: keeper.kind,
            cell: ({ metadata }) => <ObjectLink to={{ ...keeperType(keeper), namespace, name: metadata.name }} />,
          },
          { title: 'Images', isProse: true, cell: (one) => <code>{imagesOf(one)}</code> },
          { title: 'Age', cell: ({ metadata }) => age(metadata.creationTimestamp) },
          {
            title: 'Roll back',
            cell: (one) =>
              one === revisions[0] ? (
                <span class="weak">current</span>
              ) : (
                <ActionButton
                  label="Roll back…"
                  needs={needs}
                  hindrance={hindrance}
                  onClick={() => {
                    chosen.value = one;
                  }}
                />
              ),
          },
        ]}
      />
      {chosen.value !== undefined && (
        <RollBackDialog
          live={live}
          object={object}
          revision={chosen.value}
          onClose={() => {
            chosen.value = undefined;
          }}
        />
      )}
    </section>
  );
}

interface RollBackDialogProps {
  readonly live: LiveObject;
  readonly object: ApiObject;
  readonly revision: WholeObject;
  readonly onClose: () => void;
}

function RollBackDialog({ live, object, revision, onClose }: RollBackDialogProps) {
  const isSet = object.kind === 'Deployment';
  const template = isSet ? templateOf(revision) : at(revision, 'data', 'spec', 'template');
  return (
    <ActionDialog
      title={`Roll back ${object.kind} ${object.metadata.name} to revision ${revisionOf(revision)}`}
      confirm="Roll back"
      isWide
      onConfirm={async () => {
        live.take(await change(live.path, isSet ? rolledBackTo(revision, object) : restoredFrom(revision)));
        onClose();
      }}
      onClose={onClose}
    >
      <p class="weak">Its pods are replaced by pods of that template, which gets a new revision. What changes:</p>
      <div class="difference">
        <DiffPage label="Changes of the template" from={at(object, 'spec', 'template')} to={withoutPatch(template)} />
      </div>
    </ActionDialog>
  );
}

/** A ControllerRevision says in its template how it is merged. */
function withoutPatch(template: unknown): unknown {
  if (typeof template !== 'object' || template === null) return template;
  const { $patch: _, ...rest } = template as { $patch?: unknown };
  return rest;
}

function imagesOf(revision: WholeObject): string {
  const template = at(revision, 'spec', 'template') ?? at(revision, 'data', 'spec', 'template');
  return containersOf(template)
    .map(({ image }) => image)
    .join(', ');
}

function keeperType({ group, version, kind }: Resource) {
  return { apiVersion: `${group}/${version}`, kind };
}
