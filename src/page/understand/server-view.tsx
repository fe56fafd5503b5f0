// What a server does now: requests as they arrive, flow control, turns of its event loop, watches, what it stores, and
// whether it is well.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { DataTable } from './data-table.tsx';
import { durationText, rateText, sizeText } from './figures-text.ts';
import type { FlowLevel, RequestLine, ServerFigures } from './server-figures.ts';
import { HISTORY, type Moment, ServerWatch } from './server-watch.ts';
import { Sparkline } from './sparkline.tsx';

export function ServerView() {
  const watch = useMemo(() => new ServerWatch(), []);
  useEffect(() => () => watch.close(), [watch]);
  const figures = watch.figures.value;
  const fault = watch.fault.value;
  return (
    <>
      <div class="bar">
        <h1>Server</h1>
        {figures !== undefined && fault === '' && <span class="badge good">live</span>}
        <span class="weak">Rates and latencies are of the last ten seconds.</span>
      </div>
      <div class="scroll sections">
        {fault !== '' && (
          <p class="notice bad" role="alert">
            The metrics cannot be read: {fault} They need the verb get on the path /metrics.
          </p>
        )}
        {figures !== undefined && <Cards figures={figures} moments={watch.moments.value} />}
        <Health watch={watch} />
        {figures !== undefined && (
          <>
            <Requests requests={figures.requests} />
            <FlowControl levels={figures.levels} />
            <div class="columns">
              <Counts title="Open watches" counts={figures.watches} empty="No watch is open." />
              <Counts title="Stored objects" counts={figures.objects} empty="The server does not count them." />
            </div>
          </>
        )}
      </div>
    </>
  );
}

function Cards({ figures, moments }: { readonly figures: ServerFigures; readonly moments: readonly Moment[] }) {
  const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);
  const { turns, storeBytes, memoryBytes, objects } = figures;
  return (
    <div class="cards">
      <Card
        title="Requests"
        value={rateText(figures.perSecond)}
        unit="per second"
        of={(one) => one.perSecond}
        {...{ moments }}
      >
        {figures.failedPerSecond > 0 ? (
          <span class="badge bad">{rateText(figures.failedPerSecond)} failed</span>
        ) : (
          'none failed'
        )}
      </Card>
      <Card
        title="Latency"
        value={durationText(figures.p99)}
        unit="99th percentile"
        of={(one) => one.p99}
        {...{ moments }}
      >
        median {durationText(figures.median)}
      </Card>
      <Card
        title="In flight"
        value={String(figures.inFlight)}
        unit="requests"
        of={(one) => one.queued}
        {...{ moments }}
      >
        {figures.queued} waiting, as in the chart
      </Card>
      {turns === undefined ? (
        <Card title="Event loop" value="–">
          This server does not tell of its turns.
        </Card>
      ) : (
        <Card
          title="Event loop"
          value={durationText(turns.p99)}
          unit="99th percentile of turns"
          of={(one) => one.turnP99}
          {...{ moments }}
        >
          {rateText(turns.perSecond)} turns per second, median {durationText(turns.median)}
        </Card>
      )}
      <Card title="Watches" value={String(sum(figures.watches))} unit="open" of={(one) => one.watches} {...{ moments }}>
        {rateText(figures.eventsPerSecond)} events per second
      </Card>
      <Card title="Store" value={storeBytes.size === 0 ? '–' : sizeText(sum(storeBytes))}>
        {storeBytes.size === 0 && 'Size unknown. '}
        {objects.size > 0 && `${sum(objects).toLocaleString('en')} objects. `}
        {memoryBytes !== undefined && `${sizeText(memoryBytes)} of memory in use.`}
      </Card>
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly value: string;
  readonly unit?: string;
  readonly of?: (moment: Moment) => number | undefined;
  readonly moments?: readonly Moment[];
  readonly children?: ComponentChildren;
}

function Card({ title, value, unit = '', of, moments = [], children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <p class="figure">
        {value} <span class="weak">{unit}</span>
      </p>
      <p class="weak">{children}</p>
      {of !== undefined && (
        <Sparkline label={`${title} of the last minute`} values={moments.map(of)} capacity={HISTORY} />
      )}
    </section>
  );
}

function Requests({ requests }: { readonly requests: readonly RequestLine[] }) {
  return (
    <section>
      <h2>Requests</h2>
      <DataTable
        label="Requests"
        rows={requests}
        rowKey={({ verb, resource }) => `${verb} ${resource}`}
        limit={40}
        empty="No request was counted yet."
        columns={[
          { title: 'Verb', cell: ({ verb }) => <code>{verb}</code> },
          { title: 'Resource', cell: ({ resource }) => resource || <span class="weak">paths</span> },
          { title: 'Per second', isNumber: true, cell: ({ perSecond }) => <Rate value={perSecond} /> },
          { title: 'Median', isNumber: true, cell: ({ median }) => durationText(median) },
          { title: '99th percentile', isNumber: true, cell: ({ p99 }) => durationText(p99) },
          { title: 'Since the start', isNumber: true, cell: ({ total }) => total.toLocaleString('en') },
          { title: 'Answers', cell: ({ codes }) => <Codes codes={codes} /> },
        ]}
      />
    </section>
  );
}

function Rate({ value }: { readonly value: number }) {
  return value === 0 ? <span class="weak">0</span> : <strong>{rateText(value)}</strong>;
}

function Codes({ codes }: { readonly codes: ReadonlyMap<string, number> }) {
  return (
    <span class="codes">
      {[...codes].sort().map(([code, count]) => (
        <span key={code} class={`badge ${toneOfCode(code)}`} title={`${count} answers with ${code}`}>
          {code} × {count.toLocaleString('en')}
        </span>
      ))}
    </span>
  );
}

function toneOfCode(code: string): string {
  if (code.startsWith('5') || code === '429') return 'bad';
  return code.startsWith('4') ? 'warn' : '';
}

function FlowControl({ levels }: { readonly levels: readonly FlowLevel[] }) {
  return (
    <section>
      <h2>Flow control</h2>
      <DataTable
        label="Priority levels"
        rows={levels}
        rowKey={({ name }) => name}
        empty="The server does not tell of priority levels."
        columns={[
          { title: 'Priority level', cell: ({ name }) => name },
          { title: 'Seats', cell: (level) => <Seats {...level} /> },
          { title: 'Executing', isNumber: true, cell: ({ executing }) => executing },
          { title: 'Waiting', isNumber: true, cell: ({ queued }) => queued },
          {
            title: 'Dispatched per second',
            isNumber: true,
            cell: (level) => <Rate value={level.dispatchedPerSecond} />,
          },
          {
            title: 'Rejected',
            isNumber: true,
            cell: ({ rejected }) => (rejected === 0 ? 0 : <span class="badge bad">{rejected}</span>),
          },
        ]}
      />
    </section>
  );
}

function Seats({ seats, limit, name }: FlowLevel) {
  if (limit === undefined) return <span>{seats}</span>;
  if (name === 'exempt') return <span class="weak">{seats}, without a limit</span>;
  return (
    <span class="seats">
      <meter min={0} max={Math.max(limit, 1)} high={limit * 0.8} value={seats} aria-label={`Seats of ${name}`} />
      <span>
        {seats} of {limit}
      </span>
    </span>
  );
}

interface CountsProps {
  readonly title: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly empty: string;
}

function Counts({ title, counts, empty }: CountsProps) {
  return (
    <section>
      <h2>{title}</h2>
      <DataTable
        label={title}
        rows={[...counts].filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one)}
        rowKey={([name]) => name}
        limit={25}
        empty={empty}
        columns={[
          { title: 'Resource', cell: ([name]) => name },
          { title: 'Count', isNumber: true, cell: ([, count]) => count.toLocaleString('en') },
        ]}
      />
    </section>
  );
}

function Health({ watch }: { readonly watch: ServerWatch }) {
  const checks = watch.health.value;
  if (watch.healthFault.value !== '') return <p class="notice warn">/readyz: {watch.healthFault.value}</p>;
  if (checks === undefined) return null;
  const failed = checks.filter(({ ok }) => !ok);
  return (
    <section>
      <h2>Health</h2>
      <details open={failed.length > 0}>
        <summary>
          <span class={`badge ${failed.length === 0 ? 'good' : 'bad'}`}>
            {failed.length === 0 ? 'ready' : 'not ready'}
          </span>{' '}
          {checks.length - failed.length} of {checks.length} checks of /readyz pass
        </summary>
        <ul class="checks">
          {checks.map(({ name, ok, says }) => (
            <li key={name} class={ok ? '' : 'failed'}>
              <span aria-hidden="true">{ok ? '✓' : '✗'}</span> <code>{name}</code>{' '}
              <span class={ok ? 'visually-hidden' : 'weak'}>{says}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
