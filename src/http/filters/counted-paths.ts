// The labels under which a request is counted: a resource, or one of the few other paths that kube-apiserver counts.

import type { RequestLabels } from '../../lifecycle/request-metrics.ts';

/** What a request is counted as: a request for a resource, or one for a path with its own labels. */
export type Counted = 'resource' | Pick<RequestLabels, 'component' | 'subresource'>;

/** Labels of the paths that are counted. */
export const countedPaths = {
  api: { component: 'apiserver', subresource: 'api' },
  apis: { component: 'apiserver', subresource: 'apis' },
  openApiIndex: { component: '', subresource: 'openapi/v3' },
  openApiDocument: { component: '', subresource: 'openapi/v3/' },
  healthz: { component: '', subresource: '/healthz' },
  livez: { component: '', subresource: '/livez' },
  readyz: { component: '', subresource: '/readyz' },
} as const;
