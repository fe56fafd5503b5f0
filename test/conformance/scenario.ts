// Format of a recorded scenario, and the reader of an area's recordings.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './place.ts';
import type { LooseObject } from './protobuf.ts';

export interface Area {
  readonly area: string;
  /** The origin of the recorded responses. */
  readonly reference: string;
  readonly scenarios: readonly Scenario[];
}

export interface Scenario {
  /** `<area>/<words>` */
  readonly id: string;
  readonly title: string;
  /** Unless false, the scenario has its own namespace, `{ns}`. */
  readonly namespace?: boolean;
  /** If true, the first step waits for the namespace's default service account. */
  readonly serviceAccount?: boolean;
  readonly steps: readonly Step[];
  /** Sent afterwards in any case. */
  readonly cleanup?: readonly RequestSpec[];
}

export type Step =
  | (RequestStep & { readonly do?: 'request' })
  | (RequestStep & { readonly do: 'poll'; readonly until: PollUntil; readonly timeoutMs?: number })
  | WatchStep
  | CollectStep
  | (Compared & { readonly do: 'parallel'; readonly requests: readonly RequestSpec[] })
  | (Compared & { readonly do: 'close'; readonly from: string })
  | (Compared & { readonly do: 'sleep'; readonly ms: number });

/** Which parts of a step's response are compared, and with what. */
export interface Compared {
  /** The response of the reference. */
  readonly expect?: Readonly<Record<string, unknown>>;
  /** If false, nothing is compared. */
  readonly record?: false;
  readonly only?: readonly Place[];
  readonly ignore?: readonly Place[];
  /** Paths of lists whose order is irrelevant. */
  readonly unordered?: readonly Place[];
  /** By path, a pattern that selects the compared part of a string. */
  readonly part?: Readonly<Record<string, string>>;
  /** Paths of tokens that are compared by their claims. */
  readonly jwt?: readonly Place[];
  /** If true, times are compared unchanged. */
  readonly times?: boolean;
}

export interface RequestSpec {
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | null>>;
  /** A null header is not sent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** If true, the body is base64 of the bytes to send. */
  readonly base64?: boolean;
  readonly protobufBody?: LooseObject;
  readonly token?: string;
  readonly anonymous?: boolean;
  readonly requestTimeoutMs?: number;
  readonly headersOf?: readonly string[];
  /** How the response body is decoded; JSON unless one of these is set. */
  readonly text?: boolean;
  readonly lines?: string;
  readonly binary?: boolean;
  readonly gunzip?: boolean;
  readonly protobuf?: boolean;
}

export interface RequestStep extends RequestSpec, Compared {
  /** By variable name, the path in the response body of its value. */
  readonly capture?: Capture;
}

/** A path may be prefixed with `base64:`, or with `headers.` for a header. */
export type Capture = Readonly<Record<string, Place>>;

export interface PollUntil {
  readonly status?: number;
  readonly header?: string;
  readonly at?: Place;
  readonly absent?: boolean;
  readonly equals?: unknown;
  readonly differs?: unknown;
}

export interface WatchStep extends RequestSpec, Compared {
  readonly do: 'watch';
  readonly as: string;
  readonly websocket?: boolean;
}

export interface CollectStep extends Compared {
  readonly do: 'collect';
  readonly from: string;
  readonly until: CollectUntil;
  readonly timeoutMs?: number;
  /** If true, only the types of events are compared. */
  readonly types?: boolean;
  /** The path by which the events are sorted. */
  readonly sort?: string;
  /** If true, also checks that resource versions increase. */
  readonly rising?: boolean;
  readonly capture?: Capture;
}

export interface CollectUntil {
  readonly count?: number;
  readonly type?: string;
  /** Collects events until the time is over. */
  readonly quiet?: boolean;
  /** Collects events until the server ends the watch. */
  readonly closed?: boolean;
}

const recordings = join(import.meta.dirname, 'recorded');

/** Returns the recorded areas, sorted by name. */
export function recordedAreas(): string[] {
  return readdirSync(recordings)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

export function readArea(area: string): Area {
  return JSON.parse(readFileSync(join(recordings, `${area}.json`), 'utf8')) as Area;
}
