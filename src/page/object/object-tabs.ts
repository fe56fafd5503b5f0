// The views of an object, and which kinds have which.

import type { Resource } from '../cluster/discovery.ts';
import { kindOf } from '../relations/links.ts';

const TITLES = {
  summary: 'Summary',
  logs: 'Logs',
  terminal: 'Terminal',
  yaml: 'YAML',
  apply: 'Apply',
  events: 'Events',
  fields: 'Field ownership',
  history: 'History',
  related: 'Related',
} as const;

type Tab = keyof typeof TITLES;

/** Views that only pods have. */
const OF_PODS: readonly Tab[] = ['logs', 'terminal'];

/** Returns the views of a kind with their titles, in their order. */
export function tabsOf(resource: Resource): readonly (readonly [tab: Tab, title: string])[] {
  const tabs = Object.entries(TITLES) as [Tab, string][];
  return tabs.filter(([tab]) => !OF_PODS.includes(tab) || kindOf(resource) === '/pods');
}

/** Returns the view that an address names; the summary if it names none of the kind. */
export function tabOf(resource: Resource, text: string | null): Tab {
  return tabsOf(resource).find(([tab]) => tab === text)?.[0] ?? 'summary';
}
