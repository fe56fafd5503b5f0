// The pages that need the editor, loaded when the first of them is opened: lists come without it.

import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { NewObjectProps } from './new-object.tsx';
import type { ObjectViewProps } from './object-view.tsx';

interface EditorPages {
  readonly ObjectView: typeof import('./object-view.tsx').ObjectView;
  readonly NewObject: typeof import('./new-object.tsx').NewObject;
}

const loaded: Signal<EditorPages | undefined> = signal(undefined);

export function ObjectPage(props: ObjectViewProps) {
  const { ObjectView } = usePages() ?? {};
  return ObjectView === undefined ? <Loading /> : <ObjectView {...props} />;
}

export function NewPage(props: NewObjectProps) {
  const { NewObject } = usePages() ?? {};
  return NewObject === undefined ? <Loading /> : <NewObject {...props} />;
}

function Loading() {
  return <p class="empty">Loading…</p>;
}

function usePages(): EditorPages | undefined {
  useEffect(loadEditorPages, []);
  return loaded.value;
}

/** Loads the pages, also ahead of their need. */
export function loadEditorPages(): void {
  // The build names their parts in the document, so that all are asked for at once.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=editor]')) link.rel = 'modulepreload';
  void import('./editor-pages.ts').then((pages) => {
    loaded.value = pages;
  });
}
