// Form of a recorded scenario, and the reader of an area's recordings.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './place.ts';
import type { LooseObject } from './protobuf.ts';

export interface Area {
  readonly area: string;
  /** Where the answers come from. */
  readonly reference: string;
  readonly scenarios: readonly Scenario[];
}

export interface Scenario {
  /** `<area>/<words>` */
  readonly id: string;
  readonly title: string;
  /** Unless false, a namespace of its own, `{ns}`, is there for the scenario. */
  readonly namespace?: boolean;
  /** True: the first step waits for the namespace's default service account. */
  readonly serviceAccount?: boolean;
  readonly steps: readonly Step[];
  /** Sent afterwards, whatever happened. */
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

/** What is compared of a step's answer, and with what. */
export interface Compared {
  /** The answer that the reference gave. */
  readonly expect?: Readonly<Record<string, unknown>>;
  /** False: nothing is compared. */
  readonly record?: false;
  readonly only?: readonly Place[];
  readonly ignore?: readonly Place[];
  /** Places of lists whose order does not matter. */
  readonly unordered?: readonly Place[];
  /** By place, the pattern of the part of a text that is compared. */
  readonly part?: Readonly<Record<string, string>>;
  /** Places of tokens that are compared by their claims. */
  readonly jwt?: readonly Place[];
  /** True: times are compared as they are. */
  readonly times?: boolean;
}

export interface RequestSpec {
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | null>>;
  /** A header that is null is not sent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** True: the body's text is base64 of what is sent. */
  readonly base64?: boolean;
  readonly protobufBody?: LooseObject;
  readonly token?: string;
  readonly anonymous?: boolean;
  readonly requestTimeoutMs?: number;
  readonly headersOf?: readonly string[];
  /** How the answer's body is read; JSON unless one of these says otherwise. */
  readonly text?: boolean;
  readonly lines?: string;
  readonly binary?: boolean;
  readonly gunzip?: boolean;
  readonly protobuf?: boolean;
}

export interface RequestStep extends RequestSpec, Compared {
  /** By the name of a variable, the place in the answer's body of what it is to hold. */
  readonly capture?: Capture;
}

/** A place may have `base64:` before it, or `headers.` for a header. */
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
  /** True: only the events' types are compared. */
  readonly types?: boolean;
  /** The place by which the events are sorted. */
  readonly sort?: string;
  /** True: whether the resource versions rise is compared. */
  readonly rising?: boolean;
  readonly capture?: Capture;
}

export interface CollectUntil {
  readonly count?: number;
  readonly type?: string;
  /** Whatever comes until the time is over. */
  readonly quiet?: boolean;
  /** Whatever comes until the server ends the watch. */
  readonly closed?: boolean;
}

const recordings = join(import.meta.dirname, 'recorded');

/** The areas that were recorded, in order of their names. */
export function recordedAreas(): string[] {
  return readdirSync(recordings)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

export function readArea(area: string): Area {
  return JSON.parse(readFileSync(join(recordings, `${area}.json`), 'utf8')) as Area;
}
