// Deletion of an object: what would go with it, and how, before anything is deleted.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask, ClusterError } from '../cluster/cluster-api.ts';
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
  const dialog = useRef<HTMLDialogElement>(null);
  const propagation = useSignal<Propagation>('Background');
  const dependents = useSignal<readonly Dependent[] | undefined>(undefined);
  const fault = useSignal('');
  const { uid, namespace, name, resourceVersion } = object.metadata;
  useEffect(() => {
    dialog.current?.showModal();
    void dependentsOf(uid, namespace).then((found) => {
      dependents.value = found;
    });
  }, []);
  const remove = async (): Promise<void> => {
    const body = { propagationPolicy: propagation.value, preconditions: { uid } };
    try {
      await ask(live.path, { method: 'DELETE', body });
      onClose();
    } catch (error) {
      fault.value = error instanceof ClusterError ? error.message : String(error);
    }
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="delete-title" onClose={onClose}>
      <h2 id="delete-title">
        Delete {object.kind} {name}
      </h2>
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
      {fault.value !== '' && (
        <p class="notice bad" role="alert">
          {fault.value}
        </p>
      )}
      <div class="actions">
        <span class="grow" />
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="danger filled" onClick={() => void remove()}>
          Delete
        </button>
      </div>
    </dialog>
  );
}
