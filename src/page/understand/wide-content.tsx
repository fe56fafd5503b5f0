// Content that scrolls sideways where the window is too narrow for it, by keyboard too.

import type { ComponentChildren } from 'preact';

interface WideContentProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function WideContent({ label, children }: WideContentProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <div class="wide-content" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
