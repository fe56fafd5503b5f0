// The logs of a pod: of one container or all, from when on, of the previous instance, followed and searched.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { connection } from '../cluster/connection.ts';
import type { LiveObject } from '../object/live-object.ts';
import { place, setQuery } from '../shell/router.ts';
import { type ContainerSummary, containersOf } from '../summary/containers.ts';
import { LineList } from './line-list.tsx';
import { matching } from './log-lines.ts';
import { type ContainerLog, PodLog, TAIL_LINES } from './pod-log.ts';

/** In seconds. */
const TIMES: readonly (readonly [title: string, seconds: string])[] = [
  [`Last ${TAIL_LINES.toLocaleString('en')} lines`, ''],
  ['Last minute', '60'],
  ['Last 10 minutes', '600'],
  ['Last hour', '3600'],
  ['Last day', '86400'],
];

export function LogsTab({ live }: { readonly live: LiveObject }) {
  const { query } = place.value;
  const all = containersOf(live.object.value);
  const chosen = all.find(({ name }) => name === query.get('container'));
  const shown = chosen === undefined ? all : [chosen];
  const isPrevious = query.get('previous') === '1';
  const isFollowed = query.get('follow') !== '0';
  const since = query.get('since') ?? '';
  const log = useLog({ live, isPrevious, isFollowed, since, containers: shown });
  const showsTimes = useSignal(false);
  const searched = useSignal('');
  const { lines, dropped } = log.log.value;
  const found = matching(lines, searched.value);
  const states = [...log.containers.value];
  return (
    <div class="tab">
      <div class="actions">
        <select
          aria-label="Container"
          value={chosen?.name ?? ''}
          onChange={({ currentTarget }) => setQuery({ container: currentTarget.value })}
        >
          <option value="">All containers</option>
          {all.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label="Since"
          value={since}
          onChange={({ currentTarget }) => setQuery({ since: currentTarget.value })}
        >
          {TIMES.map(([title, seconds]) => (
            <option key={seconds} value={seconds}>
              {title}
            </option>
          ))}
        </select>
        <Check
          label="Follow"
          value={isFollowed && !isPrevious}
          isDisabled={isPrevious}
          onChange={(on) => setQuery({ follow: on ? undefined : '0' })}
        />
        <Check label="Previous" value={isPrevious} onChange={(on) => setQuery({ previous: on ? '1' : undefined })} />
        <Check
          label="Times"
          value={showsTimes.value}
          onChange={(on) => {
            showsTimes.value = on;
          }}
        />
        <span class="grow" />
        <input
          type="search"
          aria-label="Search in the log"
          placeholder="Search"
          value={searched.value}
          onInput={({ currentTarget }) => {
            searched.value = currentTarget.value;
          }}
        />
        <span class="weak count" role="status" aria-label="Lines">
          {found.length === lines.length ? lines.length : `${found.length} of ${lines.length}`}
        </span>
      </div>
      <States states={states} />
      {dropped > 0 && <p class="weak remark">{dropped.toLocaleString('en')} earlier lines are not shown.</p>}
      {lines.length === 0 && states.every(([, { phase }]) => phase === 'ended') ? (
        <p class="empty">Nothing was logged.</p>
      ) : (
        <LineList
          lines={found}
          searched={searched.value}
          showsTimes={showsTimes.value}
          containers={shown.length > 1 ? shown.map(({ name }) => name) : []}
        />
      )}
    </div>
  );
}

interface LogChoice {
  readonly live: LiveObject;
  readonly isPrevious: boolean;
  readonly isFollowed: boolean;
  readonly since: string;
  readonly containers: readonly ContainerSummary[];
}

/** Returns the log of the chosen containers, opened again with other choices. */
function useLog({ live, isPrevious, isFollowed, since, containers }: LogChoice): PodLog {
  const names = containers.map(({ name }) => name).join(' ');
  const log = useMemo(() => {
    const sinceSeconds = since === '' ? undefined : Number(since);
    return new PodLog(connection, { pod: live.path, isPrevious, isFollowed, sinceSeconds });
  }, [live, isPrevious, isFollowed, since, names]);
  useEffect(() => () => log.close(), [log]);
  // A container that was started again, or for the first time, has more to say.
  const begun = containers.map(({ name, restarts, state }) => `${name} ${restarts} ${isWaiting(state)}`);
  const known = useMemo(() => new Set<string>(), [log]);
  useEffect(() => {
    for (const [at, { name }] of containers.entries()) {
      const key = begun[at]!;
      if (!known.has(key)) log.open(name);
      known.add(key);
    }
  }, [log, begun.join()]);
  return log;
}

function isWaiting(state: string): boolean {
  return ['', 'ContainerCreating', 'PodInitializing', 'Waiting'].includes(state);
}

/** What keeps containers from being read. */
function States({ states }: { readonly states: readonly (readonly [name: string, state: ContainerLog])[] }) {
  const told = states.filter(([, { phase }]) => phase === 'refused' || phase === 'reconnecting');
  return (
    <>
      {told.map(([name, { phase, message }]) => (
        <p key={name} class="weak remark">
          <span class={`badge ${phase === 'refused' ? '' : 'warn'}`}>{name}</span> {message}
        </p>
      ))}
    </>
  );
}

interface CheckProps {
  readonly label: string;
  readonly value: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (on: boolean) => void;
}

function Check({ label, value, isDisabled = false, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
