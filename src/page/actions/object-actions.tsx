// The buttons of what can be done with an object of its kind, and their dialogs.

import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { Resource } from '../cluster/discovery.ts';
import { DeleteDialog } from '../object/delete-dialog.tsx';
import type { ApiObject, LiveObject } from '../object/live-object.ts';
import { kindOf } from '../relations/links.ts';
import { at } from '../relations/members.ts';
import { ActionButton } from './action-button.tsx';
import { DrainDialog } from './drain-dialog.tsx';
import type { Attributes } from './rights.ts';
import { CordonDialog, type DialogProps, RestartDialog, ScaleDialog, TriggerDialog } from './small-dialogs.tsx';

interface Action {
  readonly label: string;
  readonly needs: readonly Attributes[];
  readonly hindrance: string;
  readonly isDangerous?: boolean;
  readonly Dialog: ComponentType<DialogProps>;
}

interface ObjectActionsProps {
  readonly live: LiveObject;
  readonly resource: Resource;
  /** Undefined before it was read and after it was deleted. */
  readonly object: ApiObject | undefined;
}

export function ObjectActions({ live, resource, object }: ObjectActionsProps) {
  const opened = useSignal<Action['Dialog'] | undefined>(undefined);
  if (object === undefined) return null;
  const Dialog = opened.value;
  return (
    <>
      {actionsOf(resource, object).map(({ label, needs, hindrance, isDangerous = false, Dialog: dialog }) => (
        <ActionButton
          key={label}
          label={label}
          needs={needs}
          hindrance={hindrance}
          isDangerous={isDangerous}
          onClick={() => {
            opened.value = dialog;
          }}
        />
      ))}
      {Dialog !== undefined && (
        <Dialog
          live={live}
          object={object}
          onClose={() => {
            opened.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** The workloads whose pods are made from a template that may change. */
const RESTARTED = new Set(['apps/deployments', 'apps/statefulsets', 'apps/daemonsets']);

function actionsOf(resource: Resource, object: ApiObject): readonly Action[] {
  const { group, name: plural } = resource;
  const { namespace = '', name } = object.metadata;
  const kind = kindOf(resource);
  const on = (verb: string, subresource?: string): Attributes => ({
    ...{ verb, group, resource: plural, namespace, name },
    ...(subresource !== undefined && { subresource }),
  });
  const none = { hindrance: '' };
  const isPaused = at(object, 'spec', 'paused') === true;
  const actions: Action[] = [];
  if (resource.subresources.includes('scale')) {
    actions.push({ label: 'Scale…', needs: [on('patch', 'scale')], ...none, Dialog: ScaleDialog });
  }
  if (RESTARTED.has(kind)) {
    const hindrance = isPaused ? 'It is paused: nothing is rolled out before it is resumed.' : '';
    actions.push({ label: 'Restart…', needs: [on('patch')], hindrance, Dialog: RestartDialog });
  }
  if (kind === 'batch/cronjobs') {
    const needs = [{ verb: 'create', group: 'batch', resource: 'jobs', namespace }];
    actions.push({ label: 'Run now…', needs, ...none, Dialog: TriggerDialog });
  }
  if (kind === '/nodes') {
    const isCordoned = at(object, 'spec', 'unschedulable') === true;
    const evictions = { verb: 'create', group: '', resource: 'pods', subresource: 'eviction', namespace: '' };
    const label = isCordoned ? 'Uncordon…' : 'Cordon…';
    actions.push({ label, needs: [on('patch')], ...none, Dialog: CordonDialog });
    actions.push({ label: 'Drain…', needs: [on('patch'), evictions], ...none, Dialog: DrainDialog });
  }
  if (resource.verbs.includes('delete')) {
    actions.push({ label: 'Delete…', needs: [on('delete')], ...none, isDangerous: true, Dialog: DeleteDialog });
  }
  return actions;
}
