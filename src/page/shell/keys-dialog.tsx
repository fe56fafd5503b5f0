// The keys of the page, shown on `?`.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

const isOpen = signal(false);

export function showKeys(): void {
  isOpen.value = true;
}

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['Ctrl K'], 'Go to a view, a kind or an object'],
  [['/'], 'Filter the rows of a list'],
  [['j', '↓'], 'Next row'],
  [['k', '↑'], 'Previous row'],
  [['Page Down', 'Page Up'], 'One page down or up'],
  [['Home', 'End'], 'First or last row'],
  [['Enter'], 'Open the row'],
  [['Space'], 'Select the row; with Shift, up to the one selected before'],
  [['↑', '↓', '←', '→'], 'Follow the lines of a topology'],
  [['Esc'], 'Close a dialog or the menu'],
  [['?'], 'Show these keys'],
];

export function KeysDialog() {
  return isOpen.value ? <OpenDialog /> : null;
}

function OpenDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => {
    isOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="keys-title" onClose={close}>
      <h2 id="keys-title">Keyboard shortcuts</h2>
      <dl class="keys">
        {KEYS.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        <span class="grow" />
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
