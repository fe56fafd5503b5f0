// The console's page: its entrance, and the view that each address names.

import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import './page.css';
import './events/events.css';
import './overview/overview.css';
import './logs/logs.css';
import './summary/summary.css';
import './topology/topology.css';
import { followTime } from './browse/age.ts';
import { NO_NAMESPACE } from './browse/object-address.ts';
import { ResourceList } from './browse/resource-list.tsx';
import { askAhead } from './cluster/cluster-api.ts';
import { findResource, readDiscovery, resourcePath, resources } from './cluster/discovery.ts';
import { readSession } from './cluster/session.ts';
import { NewPage } from './object/editor-views.tsx';
import { ObjectPage } from './object/object-page.tsx';
import { OverviewView } from './overview/overview-view.tsx';
import { followLinks, place } from './shell/router.ts';
import { Shell } from './shell/shell.tsx';
import { followTheme } from './shell/theme.ts';
import { titleOf } from './shell/title.ts';
import './understand/understand.css';
import { isUnderstandView, UnderstandPage } from './understand/understand-page.tsx';

function View() {
  const [root, group = '', version = '', name = '', namespace, object] = place.value.steps;
  useEffect(() => {
    document.title = titleOf(place.value);
  }, [place.value, resources.value]);
  if (resources.value.length === 0) return <p class="empty">Loading…</p>;
  if (root === undefined) return <OverviewView />;
  if (isUnderstandView(root)) return <UnderstandPage view={root} />;
  if (root === 'r') {
    const resource = findResource(group === 'core' ? '' : group, version, name);
    if (resource !== undefined && namespace !== undefined && object !== undefined) {
      return <ObjectPage key={place.value.steps.join('/')} resource={resource} namespace={namespace} name={object} />;
    }
    if (resource !== undefined) return <ResourceList key={`${group}/${version}/${name}`} resource={resource} />;
    return <NotFound text="The cluster does not serve this kind." />;
  }
  if (root === 'new') {
    return (
      <NewPage
        key={place.value.steps.join('/')}
        resource={findResource(group === 'core' ? '' : group, version, name)}
      />
    );
  }
  return <NotFound text="There is no page at this address." />;
}

function NotFound({ text }: { readonly text: string }) {
  return (
    <div class="empty">
      <h1>Not found</h1>
      <p>
        {text} <a href="/">Go to the overview</a>
      </p>
    </div>
  );
}

/** At an object's address, asks for the object and its page while the session and discovery are read. */
function loadObjectAhead([root, group, version, name, namespace, object]: readonly string[]): void {
  if (root !== 'r' || group === undefined || version === undefined || name === undefined) return;
  if (namespace === undefined || object === undefined) return;
  ObjectPage.load();
  const resource = { group: group === 'core' ? '' : group, version, name, namespaced: namespace !== NO_NAMESPACE };
  askAhead(resourcePath(resource, namespace, object));
}

function Problem({ message }: { readonly message: string }) {
  return (
    <p class="notice bad" role="alert" style={{ margin: '20vh auto', maxWidth: '560px' }}>
      {message}
    </p>
  );
}

const page = document.getElementById('page')!;
loadObjectAhead(place.value.steps);
const known = Promise.all([readSession(), readDiscovery()]);
followTheme();
followLinks();
followTime();
render(
  <Shell>
    <View />
  </Shell>,
  page,
);
try {
  await known;
} catch (error) {
  render(<Problem message={(error as Error).message} />, page);
}
