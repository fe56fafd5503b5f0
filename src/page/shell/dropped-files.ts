// Files that were dropped on the page, pasted or chosen: their documents, on the way to the view that applies them.

import { signal } from '@preact/signals';
import { go, href, place } from './router.ts';

/** YAML documents that nobody has taken yet. */
export const droppedText = signal<string | undefined>(undefined);

/** In bytes, of all files at once. */
const MAX_BYTES = 8 << 20;

/** Reads files and opens the view that applies them. */
export async function takeFiles(files: Iterable<File>): Promise<void> {
  const all = [...files];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  const texts =
    bytes > MAX_BYTES
      ? ['# The files are too large: at most 8 MiB at once.\n']
      : await Promise.all(all.map((file) => file.text()));
  droppedText.value = texts.map((text) => `${text.trimEnd()}\n`).join('---\n');
  if (place.value.steps[0] !== 'new') go(href('new'));
}

/** Takes the files of a drop or a paste; what has none is left to others. */
export function takeDropped(event: Event, data: DataTransfer | null): void {
  if (data === null || data.files.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  void takeFiles(data.files);
}
