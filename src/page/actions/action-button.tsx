// A button for an action: disabled with the reason if the user may not do it, or if it makes no sense now.

import { useId } from 'preact/hooks';
import { type Attributes, useRefusal } from './rights.ts';

interface ActionButtonProps {
  readonly label: string;
  /** What the action would send. */
  readonly needs: readonly Attributes[];
  /** Why it makes no sense now; '' if it does. */
  readonly hindrance?: string;
  readonly isDangerous?: boolean;
  readonly onClick: () => void;
}

export function ActionButton({ label, needs, hindrance = '', isDangerous = false, onClick }: ActionButtonProps) {
  const id = useId();
  const refusal = useRefusal(needs);
  const reason = refusal === undefined ? 'Asking whether you may…' : refusal || hindrance;
  const isOff = reason !== '';
  return (
    <>
      <button
        type="button"
        class={isDangerous ? 'danger' : undefined}
        aria-disabled={isOff}
        aria-describedby={isOff ? id : undefined}
        title={isOff ? reason : undefined}
        onClick={() => {
          if (!isOff) onClick();
        }}
      >
        {label}
      </button>
      {isOff && (
        <span id={id} class="visually-hidden">
          {reason}
        </span>
      )}
    </>
  );
}
