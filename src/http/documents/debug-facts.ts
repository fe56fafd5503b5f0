// Facts about this process for the debugging pages, and what those pages can change.

/** Information about this process. */
export interface DebugFacts {
  /** Milliseconds since the Unix epoch. */
  readonly startedMs: number;
  /** Values of flags by name, including defaults; undefined if there is no command line. */
  readonly flags?: (() => ReadonlyMap<string, string>) | undefined;
  /** Undefined without --profiling. */
  readonly tools: DebugTools | undefined;
}

/** `profile` samples processor time, `heap` live allocations, `allocs` all allocations. */
export type ProfileKind = 'profile' | 'heap' | 'allocs';

export interface Profiles {
  /**
   * Records a profile as JSON; if aborted, it covers the time until then.
   * @throws ProfileBusyError while another of this kind is being recorded
   */
  take(kind: ProfileKind, time: { readonly seconds: number; readonly end: AbortSignal }): Promise<string>;
}

export class ProfileBusyError extends Error {
  override name = 'ProfileBusyError';
}

/** What a page changes in the whole process: metrics begin anew, or the log has another level. */
export type ProcessChange = { readonly reset: '/metrics' | '/metrics/slis' } | { readonly verbosity: number };

/** What the debugging pages can show and change. */
export interface DebugTools {
  readonly profiles: Profiles;
  /** The log level. */
  readonly levels: { verbosity: number };
}
