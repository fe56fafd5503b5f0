// The console's page: its entrance, and the view that each address names.

import { render } from 'preact';
import './page.css';
import { followTime } from './browse/age.ts';
import { NO_NAMESPACE } from './browse/object-address.ts';
import { ResourceList } from './browse/resource-list.tsx';
import { askAhead } from './cluster/cluster-api.ts';
import { findResource, readDiscovery, resourcePath, resources } from './cluster/discovery.ts';
import { readSession } from './cluster/session.ts';
import { loadEditorPages, NewPage, ObjectPage } from './object/object-page.tsx';
import { resourceHref } from './shell/commands.ts';
import { followLinks, go, place } from './shell/router.ts';
import { Shell } from './shell/shell.tsx';
import { followTheme } from './shell/theme.ts';
import './understand/understand.css';
import { isUnderstandView, UnderstandPage } from './understand/understand-page.tsx';

function View() {
  const [root, group = '', version = '', name = '', namespace, object] = place.value.steps;
  if (root === undefined) {
    const namespaces = resources.value.find((one) => one.group === '' && one.name === 'namespaces');
    if (namespaces !== undefined) go(resourceHref(namespaces), { replace: true });
    return null;
  }
  if (isUnderstandView(root)) return <UnderstandPage view={root} />;
  if (root === 'r' && resources.value.length > 0) {
    const resource = findResource(group === 'core' ? '' : group, version, name);
    if (resource !== undefined && namespace !== undefined && object !== undefined) {
      return <ObjectPage key={place.value.steps.join('/')} resource={resource} namespace={namespace} name={object} />;
    }
    if (resource !== undefined) return <ResourceList key={`${group}/${version}/${name}`} resource={resource} />;
    return <p class="empty">The cluster does not serve this kind.</p>;
  }
  if (root === 'new' && resources.value.length > 0) {
    return (
      <NewPage
        key={place.value.steps.join('/')}
        resource={findResource(group === 'core' ? '' : group, version, name)}
      />
    );
  }
  return null;
}

/** At an object's address, asks for the object and the editor while the session and discovery are read. */
function loadObjectAhead([root, group, version, name, namespace, object]: readonly string[]): void {
  if (root !== 'r' || group === undefined || version === undefined || name === undefined) return;
  if (namespace === undefined || object === undefined) return;
  loadEditorPages();
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
