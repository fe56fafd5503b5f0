// The choice of several namespaces at once.

import { useSignal } from '@preact/signals';
import { ActionDialog } from '../actions/action-dialog.tsx';

interface NamespacesDialogProps {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
  readonly onClose: () => void;
}

export function NamespacesDialog({ names, chosen, onChoose, onClose }: NamespacesDialogProps) {
  const picked = useSignal<readonly string[]>(chosen);
  return (
    <ActionDialog
      title="Several namespaces"
      confirm="Show"
      isIncomplete={picked.value.length === 0}
      onConfirm={async () => {
        onChoose(names.filter((name) => picked.value.includes(name)));
        onClose();
      }}
      onClose={onClose}
    >
      <ul class="picks" aria-label="Namespaces">
        {names.map((name) => (
          <li key={name}>
            <label class="check">
              <input
                type="checkbox"
                checked={picked.value.includes(name)}
                onChange={({ currentTarget }) => {
                  const others = picked.value.filter((one) => one !== name);
                  picked.value = currentTarget.checked ? [...others, name] : others;
                }}
              />
              {name}
            </label>
          </li>
        ))}
      </ul>
    </ActionDialog>
  );
}
