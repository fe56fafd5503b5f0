// Draining a node: what becomes of which pod, before anything is evicted and while it is.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { WholeObject } from '../cluster/live-table.ts';
import { useLiveTable } from '../cluster/use-live-table.ts';
import type { ApiObject, LiveObject } from '../object/live-object.ts';
import { DataTable } from '../understand/data-table.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { Drain } from './drain.ts';
import { drainPlan } from './drain-plan.ts';

interface DrainDialogProps {
  readonly live: LiveObject;
  readonly object: ApiObject;
  readonly onClose: () => void;
}

interface Fate {
  readonly pod: WholeObject;
  readonly tone: string;
  readonly text: string;
}

export function DrainDialog({ live, object, onClose }: DrainDialogProps) {
  const { name } = object.metadata;
  const table = useLiveTable('/api/v1/pods', { fieldSelector: `spec.nodeName=${name}` }, 'Object');
  const drain = useMemo(() => new Drain(), []);
  const losesLocalData = useSignal(false);
  const force = useSignal(false);
  useEffect(() => () => drain.stop(), [drain]);
  const plan = drainPlan(
    table.rows.value.map((row) => row.object),
    { losesLocalData: losesLocalData.value, force: force.value },
  );
  const evictions = drain.evictions.value;
  const fates: readonly Fate[] = [
    ...plan.undecided.map(({ pod, why }) => ({ pod, tone: 'bad', text: `needs a decision: ${why}` })),
    ...plan.evicted.map((pod) => ({ pod, ...fateOf(drain, pod) })),
    ...plan.kept.map(({ pod, why }) => ({ pod, tone: '', text: `stays: ${why}` })),
  ];
  const isBegun = evictions.size > 0 || drain.isRunning.value;
  const isLive = table.state.value.phase === 'live' || table.state.value.phase === 'still';
  return (
    <ActionDialog
      title={`Drain node ${name}`}
      confirm={isBegun ? 'Drain again' : 'Drain'}
      isDangerous
      isWide
      cancel={isBegun ? 'Close' : 'Cancel'}
      isIncomplete={!isLive || plan.undecided.length > 0 || drain.isRunning.value}
      onConfirm={() => drain.run(live.path, plan.evicted)}
      onClose={onClose}
    >
      <p class="weak">
        No more pods are scheduled on it, and its pods are evicted as far as their PodDisruptionBudgets allow. Closing
        this dialog stops asking for evictions.
      </p>
      <fieldset disabled={isBegun}>
        <legend>Pods that would not come back as they were</legend>
        <Choice label="Evict pods with emptyDir volumes; their data is lost" choice={losesLocalData} />
        <Choice label="Evict pods without a controller; nothing replaces them" choice={force} />
      </fieldset>
      {isBegun && plan.evicted.length === 0 && !drain.isRunning.value && (
        <p class="notice good" role="status">
          The node is drained.
        </p>
      )}
      <DataTable
        label="Pods of the node"
        rows={fates}
        rowKey={({ pod }) => pod.metadata.uid}
        empty={isLive ? 'No pods run on it.' : 'Looking for its pods…'}
        limit={200}
        columns={[
          { title: 'Namespace', cell: ({ pod }) => pod.metadata.namespace ?? '' },
          { title: 'Pod', cell: ({ pod }) => pod.metadata.name },
          { title: 'What becomes of it', cell: ({ tone, text }) => <span class={`tone ${tone}`}>{text}</span> },
        ]}
      />
    </ActionDialog>
  );
}

function fateOf(drain: Drain, pod: WholeObject): Omit<Fate, 'pod'> {
  const { phase, message } = drain.evictions.value.get(pod.metadata.uid) ?? {};
  if (phase === 'failed') return { tone: 'bad', text: message ?? '' };
  if (phase === 'waiting') return { tone: 'warn', text: `waits: ${message ?? ''}` };
  if (phase === 'evicted') return { tone: 'good', text: 'evicted, ends now' };
  return { tone: 'warn', text: phase === 'asked' ? 'being evicted' : 'is evicted' };
}

interface ChoiceProps {
  readonly label: string;
  readonly choice: { value: boolean };
}

function Choice({ label, choice }: ChoiceProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={choice.value}
        onChange={({ currentTarget }) => {
          choice.value = currentTarget.checked;
        }}
      />
      {label}
    </label>
  );
}
