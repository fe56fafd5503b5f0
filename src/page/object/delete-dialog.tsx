// Deletion of an object: what would go with it, and how, before anything is deleted.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ActionDialog } from '../actions/action-dialog.tsx';
import { ask } from '../cluster/cluster-api.ts';
import type { ApiObject, LiveObject } from './live-object.ts';
import { type Dependent, dependentsOf, titleOf } from './related.ts';

const CHOICES = {
  Background: 'Delete it now, and what belongs to it afterwards.',
  Foreground: 'Delete what belongs to it first; it stays until then.',
  Orphan: 'Delete it alone; what belongs to it stays.',
} as const;

type Propagation = keyof typeof CHOICES;

interface DeleteDialogProps {
  readonly live: LiveObject;
  readonly object: ApiObject;
  readonly onClose: () => void;
}

export function DeleteDialog({ live, object, onClose }: DeleteDialogProps) {
  const propagation = useSignal<Propagation>('Background');
  const dependents = useSignal<readonly Dependent[] | undefined>(undefined);
  const { uid, namespace, name, resourceVersion } = object.metadata;
  useEffect(() => {
    void dependentsOf(uid, namespace).then((found) => {
      dependents.value = found;
    });
  }, []);
  const remove = async (): Promise<void> => {
    const body = { propagationPolicy: propagation.value, preconditions: { uid } };
    await ask(live.path, { method: 'DELETE', body });
    onClose();
  };
  return (
    <ActionDialog
      title={`Delete ${object.kind} ${name}`}
      confirm="Delete"
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <p class="weak">Version {resourceVersion}. A deletion cannot be undone.</p>
      <fieldset>
        <legend>What belongs to it</legend>
        {(Object.keys(CHOICES) as Propagation[]).map((choice) => (
          <label key={choice} class="check">
            <input
              type="radio"
              name="propagation"
              checked={propagation.value === choice}
              onChange={() => {
                propagation.value = choice;
              }}
            />
            <span>
              <strong>{choice}</strong> {CHOICES[choice]}
            </span>
          </label>
        ))}
      </fieldset>
      <p>
        {dependents.value === undefined
          ? 'Looking for what belongs to it…'
          : `${dependents.value.length === 0 ? 'Nothing' : dependents.value.length} ${dependents.value.length === 1 ? 'object belongs' : dependents.value.length === 0 ? 'belongs' : 'objects belong'} to it.`}
      </p>
      <ul class="dependents">
        {dependents.value?.map((related, at) => (
          <li key={`${at} ${related.meta.uid}`} style={{ '--depth': related.depth }}>
            {titleOf(related)}
          </li>
        ))}
      </ul>
    </ActionDialog>
  );
}
