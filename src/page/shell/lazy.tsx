// Parts of the page that are loaded when they are first shown.

import { signal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

export interface Lazy<Props> {
  (props: Props): JSX.Element;
  /** Loads the part, also ahead of its need. */
  readonly load: () => void;
}

/** Returns a component that loads the real one when it is first shown. */
export function lazy<Props extends object>(read: () => Promise<ComponentType<Props>>): Lazy<Props> {
  const loaded = signal<{ readonly Component: ComponentType<Props> } | undefined>(undefined);
  const load = (): void => {
    if (loaded.peek() !== undefined) return;
    void read().then((Component) => {
      loaded.value = { Component };
    });
  };
  const show = (props: Props): JSX.Element => {
    useEffect(load, []);
    const { Component } = loaded.value ?? {};
    return Component === undefined ? <p class="empty">Loading…</p> : <Component {...props} />;
  };
  return Object.assign(show, { load });
}
