// Notice of changes of a file, sooner than the next look at it. The folder is watched, because files are replaced by
// renaming, and mounted ones are links that change elsewhere in their folder.

import { watch } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Calls back when something changes in the folder of a file. Where folders cannot be watched, it never does.
 * @returns a function that ends it
 */
export function watchFile(path: string, changed: () => void): () => void {
  try {
    const watcher = watch(dirname(path), { persistent: false }, () => changed());
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}
