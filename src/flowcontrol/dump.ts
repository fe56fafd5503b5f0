// Debug dumps of priority and fairness: tables of levels, queues and requests.

import { withoutTrailing } from '../base/without-trailing.ts';
import type { FlowController } from './flow-controller.ts';
import type { PriorityLevel } from './priority-level.ts';
import type { Ticket } from './ticket.ts';

/** A row for each level, sorted by name. */
export function dumpPriorityLevels(controller: FlowController): string {
  const rows = sortedLevels(controller).map(({ name, quiescing, requests }) => [
    name,
    requests.queues.filter(({ waiting }) => waiting > 0).length,
    requests.isIdle,
    quiescing,
    requests.waiting,
    requests.executing,
    requests.totals.dispatched,
    requests.totals.rejected,
    requests.totals.timedOut,
    requests.totals.cancelled,
  ]);
  return table(LEVEL_COLUMNS, rows);
}

const LEVEL_COLUMNS = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];

/** A row for each queue. */
export function dumpQueues(controller: FlowController): string {
  const rows = sortedLevels(controller).flatMap(({ name, requests }) =>
    requests.queues.map((queue) => [
      name,
      queue.index,
      queue.waiting,
      queue.executing,
      queue.seatsInUse,
      seatSeconds(queue.nextStart),
      queue.waitingInitialSeats,
      queue.waitingSeats,
      seatSeconds(queue.waitingWork),
    ]),
  );
  return table(QUEUE_COLUMNS, rows);
}

const QUEUE_COLUMNS = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
];

/** A row for each queued or executing request; with `details`, also its user and attributes. */
export function dumpRequests(controller: FlowController, details: boolean): string {
  const rows = sortedLevels(controller).flatMap((level) =>
    placed(level).map(({ ticket, queue, position }) => [
      level.name,
      ticket.arrival.schema,
      queue,
      position,
      ticket.arrival.distinguisher,
      goTime(ticket.arrivedMs),
      ticket.estimate.initialSeats,
      ticket.estimate.finalSeats,
      goMilliseconds(ticket.estimate.additionalMs),
      ticket.startedMs === 0 ? '0001-01-01T00:00:00Z' : goTime(ticket.startedMs),
      ...(details ? detailsOf(ticket) : []),
    ]),
  );
  return table(details ? [...REQUEST_COLUMNS, ...DETAIL_COLUMNS] : REQUEST_COLUMNS, rows);
}

const REQUEST_COLUMNS = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  // Kubernetes' format.
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];

const DETAIL_COLUMNS = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

interface PlacedTicket {
  readonly ticket: Ticket;
  /** −1 for none. */
  readonly queue: number;
  /** −1 for executing requests. */
  readonly position: number;
}

function placed({ requests }: PriorityLevel): PlacedTicket[] {
  const inQueues = requests.queues.flatMap((queue) => [
    ...[...queue.tickets()].map((ticket, position) => ({ ticket, queue: queue.index, position })),
    ...[...queue.running.values()].map((ticket) => ({ ticket, queue: queue.index, position: -1 })),
  ]);
  return [...inQueues, ...[...requests.queueless.values()].map((ticket) => ({ ticket, queue: -1, position: -1 }))];
}

function detailsOf({ arrival }: Ticket): string[] {
  const { user, verb, path, namespace, name, group, version, resource, subresource } = arrival.request;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return [user.name, verb, path, namespace, name, apiVersion, resource, subresource];
}

function sortedLevels({ levels }: FlowController): PriorityLevel[] {
  return [...levels.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function seatSeconds(seatMilliseconds: number): string {
  return `${(seatMilliseconds / 1000).toFixed(8)}ss`;
}

/** RFC 3339 without trailing zeros in the fraction. */
function goTime(ms: number): string {
  return `${withoutTrailing(withoutTrailing(new Date(ms).toISOString().slice(0, -1), '0'), '.')}Z`;
}

/** A duration in Go's format. */
function goMilliseconds(ms: number): string {
  if (ms === 0) return '0s';
  return ms < 1000 ? `${round(ms)}ms` : `${round(ms / 1000)}s`;
}

function round(value: number): number {
  return Number(value.toFixed(6));
}

const MIN_WIDTH = 8;

/** Cells end in a comma, except the last of a row, and are aligned. */
function table(columns: readonly string[], rows: readonly (readonly (string | number | boolean)[])[]): string {
  const last = columns.length - 1;
  const lines = [columns, ...rows].map((row) => row.map((cell, column) => (column < last ? `${cell},` : `${cell}`)));
  const widths = columns.map((_, column) => Math.max(MIN_WIDTH, ...lines.map((line) => line[column]!.length + 1)));
  return lines
    .map((line) => `${line.map((cell, column) => (column < last ? cell.padEnd(widths[column]!) : cell)).join('')}\n`)
    .join('');
}
