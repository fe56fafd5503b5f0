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
  groups.sort((a, b) => (a.title < b.title ? -1 : 1));
  const [builtin, own] = [groups.filter(isBuiltin), groups.filter((section) => !isBuiltin(section))];
  const cluster = common.filter(({ title }) => title === LAST_COMMON);
  const others = common.filter(({ title }) => title !== LAST_COMMON);
  return [favourites, ...others, ...own, ...cluster, ...builtin].filter((section) => section.resources.length > 0);
});

/** Whether a group is Kubernetes' own: those that a cluster has beside it are what its people look for. */
function isBuiltin({ title: group }: Section): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** Behind it are the tools, and then what people seldom look at. */
const LAST_COMMON = 'Cluster';

/** How many of the views stand above the kinds: those that show objects. */
const VIEWS_ABOVE = 3;

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
      <ViewLinks views={VIEWS.slice(0, VIEWS_ABOVE)} />
      {sections.value.map(({ title, resources: members }) => [
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
        </section>,
        title === LAST_COMMON && (
          <section key="tools">
            <h2>Tools</h2>
            <ViewLinks views={VIEWS.slice(VIEWS_ABOVE)} />
          </section>
        ),
      ])}
    </nav>
  );
}

function ViewLinks({ views }: { readonly views: typeof VIEWS }) {
  const [root = ''] = place.value.steps;
  return (
    <ul>
      {views.map(({ step, title }) => (
        <li key={step}>
          <a href={href(step)} aria-current={root === step ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}
