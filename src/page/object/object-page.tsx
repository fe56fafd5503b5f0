// The page of one object, loaded when the first object is opened: lists come without the editor.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ObjectViewProps } from './object-view.tsx';

type ObjectViewComponent = typeof import('./object-view.tsx').ObjectView;

const loaded = signal<{ readonly ObjectView: ObjectViewComponent } | undefined>(undefined);

export function ObjectPage(props: ObjectViewProps) {
  useEffect(() => {
    void import('./object-view.tsx').then(({ ObjectView }) => {
      loaded.value = { ObjectView };
    });
  }, []);
  if (loaded.value === undefined) return <p class="empty">Loading…</p>;
  const { ObjectView } = loaded.value;
  return <ObjectView {...props} />;
}
