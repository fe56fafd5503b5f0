// Dialogs of actions with little to choose: scale, restart, cordon and run a CronJob now.

import { useSignal } from '@preact/signals';
import { objectHref } from '../browse/object-address.ts';
import { resourceOfKind } from '../cluster/discovery.ts';
import type { ApiObject, LiveObject } from '../object/live-object.ts';
import { at, numberAt } from '../relations/members.ts';
import { go } from '../shell/router.ts';
import { ActionDialog } from './action-dialog.tsx';
import { cordoned, jobName, jobOf, restarted, scaled } from './changes.ts';
import { change, create } from './send.ts';

export interface DialogProps {
  readonly live: LiveObject;
  readonly object: ApiObject;
  readonly onClose: () => void;
}

export function ScaleDialog({ live, object, onClose }: DialogProps) {
  const now = at(object, 'spec', 'replicas') === undefined ? 1 : numberAt(object, 'spec', 'replicas');
  const wanted = useSignal(String(now));
  const isNumber = /^\d+$/.test(wanted.value);
  return (
    <ActionDialog
      title={`Scale ${object.kind} ${object.metadata.name}`}
      confirm="Scale"
      isIncomplete={!isNumber}
      onConfirm={async () => {
        await change(`${live.path}/scale`, scaled(Number(wanted.value)));
        onClose();
      }}
      onClose={onClose}
    >
      <p class="weak">It has {now} replicas. An autoscaler that scales it may change the number again.</p>
      <label class="field">
        Replicas
        <input
          type="number"
          min="0"
          step="1"
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value;
          }}
        />
      </label>
    </ActionDialog>
  );
}

export function RestartDialog({ live, object, onClose }: DialogProps) {
  return (
    <ActionDialog
      title={`Restart ${object.kind} ${object.metadata.name}`}
      confirm="Restart"
      onConfirm={async () => {
        // Whole seconds, as kubectl writes them.
        const time = new Date().toISOString().replace(/\.\d+/, '');
        live.take(await change(live.path, restarted(time)));
        onClose();
      }}
      onClose={onClose}
    >
      <p>All its pods are replaced by new ones, as its update strategy says.</p>
    </ActionDialog>
  );
}

export function CordonDialog({ live, object, onClose }: DialogProps) {
  const isCordoned = at(object, 'spec', 'unschedulable') === true;
  const verb = isCordoned ? 'Uncordon' : 'Cordon';
  return (
    <ActionDialog
      title={`${verb} node ${object.metadata.name}`}
      confirm={verb}
      onConfirm={async () => {
        live.take(await change(live.path, cordoned(!isCordoned)));
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {isCordoned
          ? 'Pods may be scheduled on it again.'
          : 'No more pods are scheduled on it; those that run there stay.'}
      </p>
    </ActionDialog>
  );
}

export function TriggerDialog({ object, onClose }: DialogProps) {
  const { namespace = '', name: owner } = object.metadata;
  const name = useSignal(jobName(owner, new Date()));
  return (
    <ActionDialog
      title={`Run CronJob ${owner} now`}
      confirm="Run"
      isIncomplete={name.value.trim() === ''}
      onConfirm={async () => {
        const jobs = resourceOfKind('batch/v1', 'Job')!;
        const made = await create(jobs, namespace, jobOf(object, name.value.trim()));
        onClose();
        go(objectHref(jobs, made.metadata));
      }}
      onClose={onClose}
    >
      <p class="weak">A Job is made from its template at once; the schedule is not affected.</p>
      <label class="field">
        Name of the Job
        <input
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
      </label>
    </ActionDialog>
  );
}
