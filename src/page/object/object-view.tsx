// One object: its summary, its YAML, its events, who owns its fields, its versions, and what belongs together with it.

import { useEffect, useMemo } from 'preact/hooks';
import { ObjectActions } from '../actions/object-actions.tsx';
import { age } from '../browse/age.ts';
import { NO_NAMESPACE } from '../browse/object-address.ts';
import { connection } from '../cluster/connection.ts';
import { apiVersionOf, pluralOf, type Resource } from '../cluster/discovery.ts';
import { resourceHref } from '../shell/commands.ts';
import { lazy } from '../shell/lazy.tsx';
import { place, setQuery } from '../shell/router.ts';
import { SummaryTab } from '../summary/summary-tab.tsx';
import { ConditionBadges } from './condition-badges.tsx';
import { ApplyPage, FieldsPage, HistoryPage, YamlPage } from './editor-views.tsx';
import { EventsTab } from './events-tab.tsx';
import { LiveObject, type ObjectState } from './live-object.ts';
import { tabOf, tabsOf } from './object-tabs.ts';
import { RelatedTab } from './related-tab.tsx';

const TerminalPage = lazy(() => loadTerminal());
const LogsPage = lazy(() => import('../logs/logs-tab.tsx').then(({ LogsTab }) => LogsTab));

export interface ObjectViewProps {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** The styles of the terminal come with it. */
async function loadTerminal() {
  const styles = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/assets/terminal.css' });
  const styled = new Promise((done) => styles.addEventListener('load', done, { once: true }));
  document.head.append(styles);
  await styled;
  return (await import('../terminal/terminal-tab.tsx')).TerminalTab;
}

export function ObjectView({ resource, namespace, name }: ObjectViewProps) {
  const live = useMemo(
    () => new LiveObject(resource, { namespace: namespace === NO_NAMESPACE ? '' : namespace, name }, connection),
    [],
  );
  useEffect(() => () => live.close(), [live]);
  const tab = tabOf(resource, place.value.query.get('tab'));
  const state = live.state.value;
  const object = live.object.value;
  const isThere = object !== undefined && state.phase !== 'deleted';
  return (
    <>
      <div class="bar">
        <a href={resourceHref(resource)}>{pluralOf(resource)}</a>
        <span class="weak">/</span>
        <h1>{name}</h1>
        {namespace !== NO_NAMESPACE && <span class="badge">{namespace}</span>}
        <Phase state={state} isLeaving={object?.metadata.deletionTimestamp !== undefined} />
        <span class="weak">
          {apiVersionOf(resource)} {object !== undefined && `· ${age(object.metadata.creationTimestamp)}`}
        </span>
        <span class="grow" />
        <ObjectActions live={live} resource={resource} object={isThere ? object : undefined} />
      </div>
      {object !== undefined && tab !== 'summary' && <ConditionBadges object={object} />}
      <div class="tabs" role="tablist" aria-label="Views of the object">
        {tabsOf(resource).map(([each, title]) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === tab}
            onClick={() => setQuery({ tab: each === 'summary' ? undefined : each })}
          >
            {title}
          </button>
        ))}
      </div>
      {state.phase === 'failed' ? (
        <div class="scroll">
          <p class="notice bad" role="alert">
            {state.message}
          </p>
        </div>
      ) : (
        <>
          {tab === 'summary' && <SummaryTab live={live} resource={resource} />}
          {tab === 'logs' && object !== undefined && <LogsPage key={object.metadata.uid} live={live} />}
          {tab === 'terminal' && object !== undefined && <TerminalPage key={object.metadata.uid} live={live} />}
          {tab === 'yaml' && <YamlPage live={live} resource={resource} />}
          {tab === 'apply' && <ApplyPage key={object?.metadata.uid} live={live} resource={resource} />}
          {tab === 'events' && object !== undefined && <EventsTab live={live} resource={resource} />}
          {tab === 'fields' && <FieldsPage live={live} />}
          {tab === 'history' && <HistoryPage live={live} />}
          {tab === 'related' && <RelatedTab live={live} resource={resource} />}
        </>
      )}
    </>
  );
}

function Phase({ state, isLeaving }: { readonly state: ObjectState; readonly isLeaving: boolean }) {
  if (state.phase === 'deleted') return <span class="badge bad">deleted</span>;
  if (isLeaving) return <span class="badge warn">being deleted</span>;
  if (state.phase === 'live') return <span class="badge good">live</span>;
  if (state.phase === 'reconnecting') {
    return (
      <span class="badge warn" title={state.message}>
        reconnecting
      </span>
    );
  }
  return null;
}
