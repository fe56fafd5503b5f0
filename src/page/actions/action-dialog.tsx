// The dialog of an action: what it will do, what there is to choose, and what the server had against it.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface ActionDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly confirm: string;
  readonly isDangerous?: boolean;
  /** Whether what is chosen is not enough to act. */
  readonly isIncomplete?: boolean;
  readonly isWide?: boolean;
  /** What the button says that closes the dialog. */
  readonly cancel?: string;
  /** Does it, and closes the dialog by itself where it stays open meanwhile. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

export function ActionDialog(props: ActionDialogProps) {
  const { title, confirm, isDangerous = false, isIncomplete = false, isWide = false, cancel = 'Cancel' } = props;
  const { onConfirm, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const fault = useSignal('');
  const isBusy = useSignal(false);
  useEffect(() => dialog.current?.showModal(), []);
  const act = async (): Promise<void> => {
    fault.value = '';
    isBusy.value = true;
    try {
      await onConfirm();
    } catch (error) {
      fault.value = (error as Error).message;
    }
    isBusy.value = false;
  };
  return (
    <dialog ref={dialog} class={isWide ? 'dialog wide' : 'dialog'} aria-labelledby={id} onClose={onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy.value && !isIncomplete) void act();
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        {fault.value !== '' && (
          <p class="notice bad" role="alert">
            {fault.value}
          </p>
        )}
        <div class="actions">
          <span class="grow" />
          <button type="button" onClick={onClose}>
            {cancel}
          </button>
          <button
            type="submit"
            class={isDangerous ? 'danger filled' : 'primary'}
            disabled={isBusy.value || isIncomplete}
          >
            {confirm}
          </button>
        </div>
      </form>
    </dialog>
  );
}
