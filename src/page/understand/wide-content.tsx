// Content that scrolls sideways where the window is too narrow for it, by keyboard too.

import type { ComponentChildren } from 'preact';

interface WideContentProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What scrolls must be reached by keyboard. */
const BY_KEYBOARD = { tabIndex: 0 };

export function WideContent({ label, children }: WideContentProps) {
  return (
    <div class="wide-content" role="group" aria-label={label} {...BY_KEYBOARD}>
      {children}
    </div>
  );
}
