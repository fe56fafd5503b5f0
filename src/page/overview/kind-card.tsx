// The objects of a kind at a glance: how many, how many in which state, and the way to their list.

import { pluralOf, type Resource } from '../cluster/discovery.ts';
import type { TableState } from '../cluster/live-table.ts';
import { href } from '../shell/router.ts';
import type { Findings } from './findings.ts';

interface KindCardProps {
  readonly resource: Resource;
  /** '' for all. */
  readonly namespace: string;
  readonly state: TableState;
  readonly findings: Findings;
}

export function KindCard({ resource, namespace, state, findings }: KindCardProps) {
  const { group, version, name, namespaced } = resource;
  const list = href('r', group === '' ? 'core' : group, version, name);
  const to = namespaced && namespace !== '' ? `${list}?${new URLSearchParams({ ns: namespace })}` : list;
  return (
    <a class="card kind" href={to}>
      <h2>
        {pluralOf(resource)
          .split(/(?<=[a-z])(?=[A-Z])/)
          .flatMap((word, at) => (at === 0 ? [word] : [<wbr key={word} />, word]))}
      </h2>
      {state.phase === 'failed' ? (
        <p class="weak">{state.code === 403 ? 'You may not list them.' : state.message}</p>
      ) : state.phase === 'loading' ? (
        <p class="weak">Loading…</p>
      ) : (
        <Counts findings={findings} />
      )}
    </a>
  );
}

function Counts({ findings: { total, tallies } }: { readonly findings: Findings }) {
  return (
    <>
      <p class="figure">{total.toLocaleString('en')}</p>
      <div class="proportions" aria-hidden="true">
        {tallies.map(({ health, label, count }) => (
          <span key={`${health} ${label}`} class={health} style={{ flexGrow: count }} />
        ))}
      </div>
      <p class="tallies">
        {tallies.map(({ health, label, count }) => (
          <span key={`${health} ${label}`} class={health}>
            {count.toLocaleString('en')} {label}
          </span>
        ))}
        {total === 0 && <span class="weak">none</span>}
      </p>
    </>
  );
}
