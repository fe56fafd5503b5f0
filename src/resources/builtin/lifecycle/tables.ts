// Table columns of Eviction and EvictionRequest.

import { condition, isTrue } from '../../conditions.ts';
import type { Cell, TableColumns } from '../../definition.ts';
import { humanDuration } from '../../duration.ts';
import { age, cellAt, NONE, since, some, table, UNKNOWN, UNSET, wide } from '../../table.ts';
import type { Eviction, EvictionRequest, ResponderStatus, TargetResponder } from './v1alpha1-objects.ts';

export const evictionRequestTable: TableColumns<EvictionRequest> = table(
  ['Target', 'Target Type', 'Status', 'Requester', 'Intent', 'Age'],
  (request) => [
    ...target(request),
    evictionStatus(request),
    request.spec?.requester ?? '',
    request.spec?.intent ?? '',
    age(request),
  ],
);

export const evictionTable: TableColumns<Eviction> = table(
  [
    'Target',
    'Target Type',
    'Status',
    'Active Responder',
    'Responder Status',
    'Responder Expected Finish',
    'Requesters',
    'Age',
    wide('Responder Heartbeat'),
    wide('Responder Status Message'),
  ],
  (eviction) => {
    const { text, status, expected, heartbeat, message } = responder(eviction);
    return [
      ...target(eviction),
      evictionStatus(eviction),
      text,
      status,
      expected,
      requesters(eviction),
      age(eviction),
      heartbeat,
      message,
    ];
  },
);

function target({ spec }: Eviction | EvictionRequest): [name: string, type: string] {
  const pod = spec?.target?.pod;
  return pod === undefined ? [UNSET, UNSET] : [pod.name ?? '', 'Pod'];
}

function evictionStatus(object: Eviction | EvictionRequest): string {
  for (const type of ['TargetEvicted', 'Failed']) {
    if (isTrue(object, type)) return `${type} (${condition(object, type)?.reason ?? ''})`;
  }
  return Number(object.status?.observedGeneration ?? 0) > 0 ? 'Progressing' : 'Pending';
}

/** The first of those that have not withdrawn, and how many more there are. */
function requesters({ status }: Eviction): string {
  const all = status?.requesters ?? [];
  const names = all.filter(({ intent }) => intent !== 'Withdrawn').map(({ name = '' }) => name);
  if (names.length > 0) return some(names.sort(), 1);
  return all.length > 0 ? '<withdrawn>' : NONE;
}

interface ResponderCells {
  readonly text: string;
  readonly status: Cell;
  readonly expected: Cell;
  readonly heartbeat: Cell;
  readonly message: string;
}

/** The active responder, or else the last that has ended. */
function responder({ status }: Eviction): ResponderCells {
  const all = status?.targetResponders ?? [];
  const turned = all.filter(({ state }) => state !== 'Inactive');
  const active = turned.findLast(({ state }) => state === 'Active') ?? turned.at(-1);
  const text = `${active?.name ?? UNSET} (${turned.length}/${all.length})`;
  const report = active && status?.responders?.find(({ name }) => name === active.name);
  if (active === undefined || report === undefined) {
    return { text, status: UNSET, expected: UNKNOWN, heartbeat: UNSET, message: UNSET };
  }
  return {
    text,
    ...progress(active, report),
    heartbeat: report.heartbeatTime === undefined ? UNSET : ago(report.heartbeatTime),
    message: report.message?.trim() || UNSET,
  };
}

function progress({ state = '' }: TargetResponder, report: ResponderStatus): { status: Cell; expected: Cell } {
  const { startTime, expectedCompletionTime, completionTime } = report;
  if (state !== 'Active') {
    const isCompleted = state === 'Completed' && completionTime !== undefined;
    return { status: isCompleted ? ago(completionTime, (text) => `${state} (${text})`) : state, expected: '-' };
  }
  if (startTime === undefined) return { status: state, expected: UNKNOWN };
  return {
    status: ago(startTime, (text) => `Started (${text})`),
    expected: expectedCompletionTime === undefined ? UNKNOWN : finish(expectedCompletionTime),
  };
}

function ago(time: string | null, words: (text: string) => string = (text) => text): Cell {
  const cell = since(time);
  return (nowMs) => words(`${cellAt(cell, nowMs)} ago`);
}

/** An estimate may be wrong. */
function finish(time: string | null): Cell {
  const at = Date.parse(time ?? '');
  return (nowMs) => (at > nowMs ? `in ${humanDuration(at - nowMs)}` : String(cellAt(ago(time), nowMs)));
}
