// The views beside the overview, lists and objects, each loaded when it is first opened.

import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

const LOADERS = {
  topology: () => import('../topology/topology-view.tsx').then(({ TopologyView }) => TopologyView),
  events: () => import('../events/events-view.tsx').then(({ EventsView }) => EventsView),
  access: () => import('./access-view.tsx').then(({ AccessView }) => AccessView),
  lifecycles: () => import('./lifecycles-view.tsx').then(({ LifecyclesView }) => LifecyclesView),
  expressions: () => import('./expressions-view.tsx').then(({ ExpressionsView }) => ExpressionsView),
  server: () => import('./server-view.tsx').then(({ ServerView }) => ServerView),
} as const;

type View = keyof typeof LOADERS;

const loaded = signal<Readonly<Partial<Record<View, ComponentType>>>>({});

/** Whether an address's first step names one of these views. */
export function isUnderstandView(step: string): step is View {
  return Object.hasOwn(LOADERS, step);
}

export function UnderstandPage({ view }: { readonly view: View }) {
  useEffect(() => {
    void LOADERS[view]().then((component) => {
      loaded.value = { ...loaded.value, [view]: component };
    });
  }, [view]);
  const Component = loaded.value[view];
  return Component === undefined ? <p class="empty">Loading…</p> : <Component />;
}
