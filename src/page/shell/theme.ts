// Dark and light themes: the system's preference, unless the user chooses one.

import { effect, signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';

const KEY = 'keelson-theme';

/** The choice, stored for the next visit. */
export const theme = signal<Theme>((localStorage.getItem(KEY) as Theme | null) ?? 'system');

/** Applies the choice to the document, now and whenever it changes. */
export function followTheme(): void {
  effect(() => {
    localStorage.setItem(KEY, theme.value);
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
  });
}

/** Returns the next choice: system, light, dark, and again. */
export function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system';
}
