// Commands of the palette: views, kinds, contexts and themes. New views are added here.

import type { ConsoleSession } from '../../api/console-answers.ts';
import { objectHref } from '../browse/object-address.ts';
import { kindKey, lastNamespace, recentKinds } from '../browse/preferences.ts';
import { apiVersionOf, pluralOf, type Resource } from '../cluster/discovery.ts';
import { chooseContext } from '../cluster/session.ts';
import { showKeys } from './keys-dialog.tsx';
import type { FoundObject } from './object-search.ts';
import { go, href } from './router.ts';
import { nextTheme } from './theme.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  /** Shown beside the title: a group, a shortcut. */
  readonly hint: string;
  /** Additional search words. */
  readonly words: readonly string[];
  readonly run: () => void;
}

/** Views of the page that are not specific to a kind, in display order. */
export const VIEWS: readonly { readonly step: string; readonly title: string; readonly words: readonly string[] }[] = [
  { step: '', title: 'Overview', words: ['dashboard', 'health', 'home', 'problems'] },
  { step: 'topology', title: 'Topology', words: ['graph', 'map', 'relations', 'owners', 'picture'] },
  { step: 'events', title: 'Events', words: ['timeline', 'warnings', 'happened'] },
  { step: 'access', title: 'Access', words: ['rbac', 'may', 'can-i', 'rights', 'permissions', 'who'] },
  { step: 'lifecycles', title: 'API lifecycles', words: ['deprecated', 'versions', 'removed', 'beta', 'alpha'] },
  { step: 'expressions', title: 'Expressions', words: ['cel', 'rules', 'validation', 'playground', 'cost'] },
  { step: 'server', title: 'Server', words: ['metrics', 'requests', 'latency', 'health', 'flow control', 'watches'] },
];

/** Returns commands for the views, the other contexts and the theme. */
export function viewCommands(session: ConsoleSession | undefined): Command[] {
  const views = VIEWS.map(({ step, title, words }) => ({
    ...{ id: `view ${step}`, title, hint: 'view', words },
    run: () => go(href(step)),
  }));
  const others = session?.contexts.filter((name) => name !== session.context) ?? [];
  const contexts = others.map((name) => ({
    ...{ id: `context ${name}`, title: `Switch to ${name}`, hint: 'context', words: ['context', 'cluster'] },
    run: () => void chooseContext(name).then(() => location.assign('/')),
  }));
  const theme = {
    id: 'theme',
    title: 'Change the theme',
    hint: 'dark, light',
    words: ['dark', 'light'],
    run: nextTheme,
  };
  const create = {
    id: 'new',
    title: 'New object from YAML',
    hint: 'create',
    words: ['create', 'new', 'yaml'],
    run: () => go(href('new')),
  };
  const keys = {
    id: 'keys',
    title: 'Keyboard shortcuts',
    hint: '?',
    words: ['keys', 'help', 'shortcuts'],
    run: showKeys,
  };
  return [...views, ...(session?.readOnly === true ? [] : [create]), ...contexts, theme, keys];
}

/**
 * Returns a command for each kind, recently used ones first; they are found by plural, singular, kind and short names.
 */
export function resourceCommands(resources: readonly Resource[]): Command[] {
  const recent = recentKinds.value.flatMap((key) => resources.find((one) => kindKey(one) === key) ?? []);
  return [...new Set([...recent, ...resources])].map((resource) => ({
    id: `resource ${resource.group}/${resource.name}`,
    title: pluralOf(resource),
    hint: apiVersionOf(resource),
    words: [resource.name, resource.singular, resource.kind, ...resource.shortNames],
    run: () => go(resourceHref(resource)),
  }));
}

/** Returns the command that opens an object. */
export function objectCommand({ resource, meta }: FoundObject): Command {
  const { namespace, name, uid } = meta;
  return {
    ...{ id: `object ${uid}`, title: name, hint: [resource.kind, namespace].filter(Boolean).join(' · '), words: [] },
    run: () => go(objectHref(resource, meta)),
  };
}

/** Returns the URL of the list of a kind in the current namespace. */
export function resourceHref({ group, version, name, namespaced }: Resource): string {
  const to = href('r', group === '' ? 'core' : group, version, name);
  const namespace = lastNamespace.value;
  return namespaced && namespace !== '' ? `${to}?${new URLSearchParams({ ns: namespace })}` : to;
}
