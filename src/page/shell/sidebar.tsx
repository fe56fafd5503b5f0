// The kinds of the cluster at the side, those that people look at most first, then group by group.

import { computed, signal } from '@preact/signals';
import { favouriteKinds, kindKey } from '../browse/preferences.ts';
import { pluralOf, type Resource, resources } from '../cluster/discovery.ts';
import { resourceHref, VIEWS } from './commands.ts';
import { rank } from './rank.ts';
import { href, place } from './router.ts';

const COMMON: Readonly<Record<string, readonly string[]>> = {
  Workloads: ['/pods', 'apps/deployments', 'apps/statefulsets', 'apps/daemonsets', 'batch/jobs', 'batch/cronjobs'],
  Network: ['/services', 'networking.k8s.io/ingresses', 'discovery.k8s.io/endpointslices'],
  Configuration: ['/configmaps', '/secrets', '/serviceaccounts', '/persistentvolumeclaims'],
  Cluster: ['/namespaces', '/nodes', '/events', 'apiextensions.k8s.io/customresourcedefinitions'],
};

interface Section {
  readonly title: string;
  readonly resources: readonly Resource[];
}

const filter = signal('');

const sections = computed<readonly Section[]>(() => {
  const all = resources.value;
  if (filter.value.trim() !== '') {
    const ranked = rank(
      all.map((resource) => ({
        resource,
        title: pluralOf(resource),
        words: [resource.name, resource.kind, ...resource.shortNames],
      })),
      filter.value,
    );
    return [{ title: 'Found', resources: ranked.map(({ resource }) => resource) }];
  }
  const keyed = new Map(all.map((resource) => [kindKey(resource), resource]));
  const common = Object.entries(COMMON).map(([title, keys]) => ({
    title,
    resources: keys.flatMap((key) => keyed.get(key) ?? []),
  }));
  const favourites = { title: 'Favourites', resources: favouriteKinds.value.flatMap((key) => keyed.get(key) ?? []) };
  const shown = new Set(common.flatMap((section) => section.resources));
  const rest = Map.groupBy(
    all.filter((resource) => !shown.has(resource)),
    ({ group }) => group || 'core',
  );
  const groups = [...rest].map(([title, members]) => ({ title, resources: members }));
  return [favourites, ...common, ...groups.sort((a, b) => (a.title < b.title ? -1 : 1))].filter(
    (section) => section.resources.length > 0,
  );
});

export function Sidebar() {
  const [root = '', group, , name] = place.value.steps;
  const isCurrent = (one: Resource) => root === 'r' && name === one.name && group === (one.group || 'core');
  return (
    <nav class="side" aria-label="Kinds">
      <label>
        <span class="visually-hidden">Filter kinds</span>
        <input
          type="search"
          placeholder="Filter kinds"
          style={{ width: '100%' }}
          value={filter.value}
          onInput={({ currentTarget }) => {
            filter.value = currentTarget.value;
          }}
        />
      </label>
      {VIEWS.length > 0 && (
        <ul>
          {VIEWS.map(({ step, title }) => (
            <li key={step}>
              <a href={href(step)} aria-current={root === step ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
      {sections.value.map(({ title, resources: members }) => (
        <section key={title}>
          <h2 title={title}>{title.replace(/\.k8s\.io$/, '')}</h2>
          <ul>
            {members.map((resource) => (
              <li key={kindKey(resource)}>
                <a href={resourceHref(resource)} aria-current={isCurrent(resource) ? 'page' : undefined}>
                  {pluralOf(resource)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
