// The work of a request in priority and fairness: seats while it executes, and seats for a while after its response,
// for notifying watchers of its write.

export interface WorkEstimate {
  readonly initialSeats: number;
  /** Seats of the final stage; 0 for none. */
  readonly finalSeats: number;
  /** Duration of the final stage, in milliseconds. */
  readonly additionalMs: number;
}

export const ONE_SEAT: WorkEstimate = Object.freeze({ initialSeats: 1, finalSeats: 0, additionalMs: 0 });

/** Seats that a request holds until the end of its final stage. */
export function maxSeats({ initialSeats, finalSeats }: WorkEstimate): number {
  return Math.max(initialSeats, finalSeats);
}

/** What is known of a list before it executes. */
export interface ListWork {
  /** `limit`; 0 for none. */
  readonly limit: number;
  /** Whether it has a field or label selector. */
  readonly selects: boolean;
  /** Whether it selects one object by name. */
  readonly single: boolean;
  /** Whether Kubernetes would serve it from its cache. */
  readonly fromCache: boolean;
}

/** The stored objects of a resource. */
export interface ObjectStats {
  readonly objects: number;
  readonly bytes: number;
}

// Kubernetes' values.
const OBJECTS_PER_SEAT = 100;
const COUNTED_LIST_SEATS = 10;
const BYTES_PER_SEAT = 100_000;
const CACHED_BYTES_AT_ONCE = 1_000_000;
const LIST_SEATS = 100;
const WRITE_SEATS = 10;
const WATCHERS_PER_SEAT = 10;
const EVENT_MS = 5;

/**
 * Seats of a list by the bytes that it holds in memory at once.
 *
 * @param stats undefined for an unknown resource
 * @param levelSeats maximum seats of a request in its priority level; undefined for none
 */
export function listEstimate(list: ListWork, stats: ObjectStats | undefined, levelSeats?: number): WorkEstimate {
  if (stats === undefined) return ONE_SEAT;
  const bytes = objectsLoaded(list, stats) * (stats.objects === 0 ? 0 : Math.floor(stats.bytes / stats.objects));
  const atOnce = list.fromCache ? Math.min(bytes, CACHED_BYTES_AT_ONCE) : bytes;
  const seats = Math.max(1, Math.ceil(atOnce / BYTES_PER_SEAT));
  return seatsOnly(Math.min(seats, widest(LIST_SEATS, levelSeats)));
}

/**
 * Seats of a list by the number of objects that it evaluates, regardless of size: used if the gate
 * SizeBasedListCostEstimate is disabled. Parameters as in listEstimate.
 */
export function listEstimateByCount(list: ListWork, stats: ObjectStats | undefined, levelSeats?: number): WorkEstimate {
  if (stats === undefined) return ONE_SEAT;
  const seats = Math.max(1, Math.ceil(objectsLookedAt(list, stats) / OBJECTS_PER_SEAT));
  return seatsOnly(Math.min(seats, widest(COUNTED_LIST_SEATS, levelSeats)));
}

function objectsLookedAt({ limit, selects, single, fromCache }: ListWork, { objects }: ObjectStats): number {
  if (single) return 1;
  if (fromCache) return objects;
  const limited = limit > 0 ? Math.min(limit, objects) : objects;
  return selects ? objects + limited : 2 * limited;
}

/** Seats of an invalid list: it will be rejected, and must not cost less because of that. */
export function widestList(bySize: boolean, levelSeats?: number): WorkEstimate {
  return seatsOnly(widest(bySize ? LIST_SEATS : COUNTED_LIST_SEATS, levelSeats));
}

function objectsLoaded({ limit, selects, single, fromCache }: ListWork, { objects }: ObjectStats): number {
  if (single) return 1;
  const limited = limit > 0 ? Math.min(limit, objects) : objects;
  return selects && !fromCache ? Math.max(limited, Math.floor(objects / 2)) : limited;
}

/**
 * One seat for a write, and more after its response if many watchers must be notified.
 *
 * @param watchers affected by its event
 */
export function writeEstimate(watchers: number, levelSeats?: number): WorkEstimate {
  if (watchers < WATCHERS_PER_SEAT) return ONE_SEAT;
  const wanted = Math.ceil(watchers / WATCHERS_PER_SEAT);
  const finalSeats = Math.min(wanted, widest(WRITE_SEATS, levelSeats));
  // Narrower means longer: the work stays the same.
  return { initialSeats: 1, finalSeats, additionalMs: (wanted * EVENT_MS) / finalSeats };
}

function widest(limit: number, levelSeats = limit): number {
  return Math.min(limit, levelSeats);
}

function seatsOnly(initialSeats: number): WorkEstimate {
  return initialSeats === 1 ? ONE_SEAT : { initialSeats, finalSeats: 0, additionalMs: 0 };
}
