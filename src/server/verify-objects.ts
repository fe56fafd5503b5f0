// Verification of a store's objects: each is read, decrypted and decoded, as by a server. For etcd this is all that can
// be verified from outside; for an embedded store it follows the check of its file.

import type { ServerOptions } from './options.ts';
import { ALL_KEYS, objectPages, readFault, type StoreEnd, StoreEnds } from './store-ends.ts';

interface ObjectReport {
  readonly revision: number;
  readonly objects: number;
  readonly faults: number;
}

interface VerifyOptions {
  readonly end: StoreEnd;
  readonly options: ServerOptions;
  readonly onFault: (fault: string) => void;
  /** Gets the number of objects that have been read. */
  readonly onProgress?: (objects: number) => void;
}

/** Reads all objects of one revision. @throws StoreError if the store cannot be opened */
export async function verifyObjects({ end, options, onFault, onProgress }: VerifyOptions): Promise<ObjectReport> {
  const ends = await StoreEnds.of(options);
  try {
    const { store, close } = await ends.openStored(end);
    try {
      const { revision } = await store.list(ALL_KEYS, { limit: 1 });
      let objects = 0;
      let faults = 0;
      for await (const page of objectPages(store, revision)) {
        objects += page.length;
        onProgress?.(objects);
        for (const entry of page) {
          const fault = readFault(entry);
          if (fault === undefined) continue;
          faults++;
          onFault(fault);
        }
      }
      return { revision, objects, faults };
    } finally {
      await close();
    }
  } finally {
    ends.stop();
  }
}
