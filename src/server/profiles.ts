// Profiles of this process, recorded by V8's inspector. Loaded with the first profile.

import { Session } from 'node:inspector/promises';
import type { Clock } from '../base/clock.ts';
import { ProfileBusyError, type ProfileKind, type Profiles } from '../http/documents/debug-facts.ts';

/** Average number of bytes allocated between two samples. */
const SAMPLING_BYTES = 32_768;

export class ProcessProfiles implements Profiles {
  readonly #clock: Clock;
  /** Profiles that V8 can record only one at a time. */
  readonly #taken = new Set<'cpu' | 'memory'>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async take(kind: ProfileKind, time: { readonly seconds: number; readonly end: AbortSignal }): Promise<string> {
    const source = kind === 'profile' ? 'cpu' : 'memory';
    if (this.#taken.has(source))
      throw new ProfileBusyError(`Could not record a profile of ${source}: another one is being recorded`);
    this.#taken.add(source);
    const session = new Session();
    session.connect();
    try {
      if (source === 'memory') await startSampling(session, kind === 'allocs');
      else {
        await session.post('Profiler.enable');
        await session.post('Profiler.start');
      }
      await this.#passes(time);
      const { profile } = await (source === 'memory'
        ? session.post('HeapProfiler.stopSampling')
        : session.post('Profiler.stop'));
      return JSON.stringify(profile);
    } finally {
      session.disconnect();
      this.#taken.delete(source);
    }
  }

  #passes({ seconds, end }: { readonly seconds: number; readonly end: AbortSignal }): Promise<void> {
    return new Promise((resolve) => {
      if (end.aborted) return resolve();
      const over = (): void => {
        timer.cancel();
        end.removeEventListener('abort', over);
        resolve();
      };
      const timer = this.#clock.after(seconds * 1000, over);
      end.addEventListener('abort', over);
    });
  }
}

/** @param all whether memory that is no longer in use counts too */
async function startSampling(session: Session, all: boolean): Promise<void> {
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLING_BYTES,
    includeObjectsCollectedByMajorGC: all,
    includeObjectsCollectedByMinorGC: all,
  });
}
