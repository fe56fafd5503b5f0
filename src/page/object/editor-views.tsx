// The views that contain the editor, loaded when the first of them is opened: lists and summaries come without it.

import { type Lazy, lazy } from '../shell/lazy.tsx';
import type { NewObjectProps } from './new-object.tsx';

export const NewPage: Lazy<NewObjectProps> = lazy(() => editorPages().then(({ NewObject }) => NewObject));
export const YamlPage = lazy(() => editorPages().then(({ YamlTab }) => YamlTab));
export const ApplyPage = lazy(() => editorPages().then(({ ApplyTab }) => ApplyTab));
export const FieldsPage = lazy(() => editorPages().then(({ FieldsTab }) => FieldsTab));
export const HistoryPage = lazy(() => editorPages().then(({ HistoryTab }) => HistoryTab));
export const DiffPage = lazy(() => editorPages().then(({ ObjectDiff }) => ObjectDiff));

/** Loads the editor. The build names its parts in the document, so that all are asked for at once. */
function editorPages() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=editor]')) link.rel = 'modulepreload';
  return import('./editor-pages.ts');
}
