// The question that both sides of access ask: a verb, a resource or a path, a name and a namespace; kept in the address.

import { qualified } from '../../api/group-version.ts';
import { NamespaceChoice } from '../browse/namespace-choice.tsx';
import { allVersions, findResource, type Resource, resources } from '../cluster/discovery.ts';
import { place, setQuery } from '../shell/router.ts';
import type { AccessQuestion } from './who-may.ts';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
/** Verbs that requests do not have, and that rules allow all the same. */
const OTHER_VERBS = ['impersonate', 'bind', 'escalate', 'approve', 'sign', 'use', 'attest'];

/** The question that the address holds; undefined before a resource or a path is named. */
export function questionOf(query: URLSearchParams): AccessQuestion | undefined {
  const text = (name: string): string => (query.get(name) ?? '').trim();
  const verb = text('verb') || 'get';
  const what = text('what');
  if (what === '') return undefined;
  const name = text('name');
  if (what.startsWith('/')) {
    const path = { group: '', resource: '', subresource: '', name: '', namespace: '', isNamespaced: false };
    return { ...path, verb, isResourceRequest: false, path: what };
  }
  const { group, resource, subresource } = resourceNamed(what);
  const known = resources.value.find((one) => one.group === group && one.name === resource);
  const isNamespace = group === '' && resource === 'namespaces';
  return {
    ...{ verb, isResourceRequest: true, path: '', group, resource, subresource, name },
    // A namespace lies within itself.
    isNamespaced: known?.namespaced !== false || isNamespace,
    namespace: isNamespace ? name : known?.namespaced === false ? '' : text('ns'),
  };
}

/** `pods/log`, `deployments.apps` and `deployments.apps/scale`, as kubectl takes them. */
function resourceNamed(text: string): { group: string; resource: string; subresource: string } {
  const [whole = '', ...rest] = text.split('/');
  const dot = whole.indexOf('.');
  const [resource, group] = dot < 0 ? [whole, undefined] : [whole.slice(0, dot), whole.slice(dot + 1)];
  const named = resources.value.find((one) => one.name === resource || one.shortNames.includes(resource));
  return { resource: named?.name ?? resource, group: group ?? named?.group ?? '', subresource: rest.join('/') };
}

/** The resource of a rule or binding, to link to it. */
export function rbacResource(name: string): Resource | undefined {
  return findResource('rbac.authorization.k8s.io', 'v1', name);
}

export function AccessForm() {
  const { query } = place.value;
  const text = (name: string): string => query.get(name) ?? '';
  return (
    <form class="question" onSubmit={(event) => event.preventDefault()}>
      <label>
        Verb
        <input list="verbs" value={text('verb') || 'get'} onChange={changes('verb')} />
        <datalist id="verbs">
          {[...VERBS, ...OTHER_VERBS].map((verb) => (
            <option key={verb} value={verb} />
          ))}
        </datalist>
      </label>
      <label class="wide">
        Resource or path
        <input list="resources" placeholder="deployments.apps/scale" value={text('what')} onChange={changes('what')} />
        <datalist id="resources">
          {[...new Set(allVersions.value.flatMap(spellings))].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label>
        Name
        <input placeholder="any" value={text('name')} onChange={changes('name')} />
      </label>
      <div class="field">
        <span aria-hidden="true">Namespace</span>
        <NamespaceChoice chosen={text('ns')} onChoose={(ns) => setQuery({ ns })} />
      </div>
    </form>
  );
}

function changes(name: string) {
  return ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    setQuery({ [name]: currentTarget.value.trim() });
}

function spellings({ group, name, subresources }: Resource): string[] {
  const own = qualified(name, group);
  return [own, ...subresources.map((each) => `${own}/${each}`)];
}
