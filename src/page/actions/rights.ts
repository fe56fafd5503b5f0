// Whether the user may do something, as the server says (SelfSubjectAccessReview).

import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { askJson } from '../cluster/cluster-api.ts';
import { session } from '../cluster/session.ts';

/** A request that an action would send. */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** '' for cluster-scoped objects, and for all namespaces. */
  readonly namespace: string;
  /** Omitted for all names. */
  readonly name?: string;
}

/** `undefined` while the server is asked; otherwise the reason why not, '' if the user may. */
type Refusal = string | undefined;

const PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

interface ReviewStatus {
  readonly allowed?: boolean;
  readonly reason?: string;
}

/** Returns why the user may not send the requests, as far as known; it is asked when the view is shown. */
export function useRefusal(requests: readonly Attributes[]): Refusal {
  const refusal = useMemo(() => signal<Refusal>(undefined), []);
  const isReadOnly = session.value?.readOnly === true;
  const key = JSON.stringify(requests);
  useEffect(() => {
    if (isReadOnly) return undefined;
    let isLate = false;
    refusal.value = undefined;
    void Promise.all(requests.map(refusalOf)).then((found) => {
      if (!isLate) refusal.value = found.filter((text) => text !== '').join(' ');
    });
    return () => {
      isLate = true;
    };
  }, [key, isReadOnly]);
  return isReadOnly ? 'This console is read-only.' : refusal.value;
}

/** A server that cannot be asked decides when the action is tried. */
async function refusalOf(request: Attributes): Promise<string> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: request },
  };
  try {
    const { status } = await askJson<{ status?: ReviewStatus }>(PATH, { method: 'POST', body });
    return status?.allowed === true ? '' : refusalText(request, status?.reason ?? '');
  } catch {
    return '';
  }
}

/** Returns a sentence such as `You may not patch deployments/scale in the namespace shop.` */
function refusalText({ verb, resource, subresource, namespace }: Attributes, reason: string): string {
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? '' : ` in the namespace ${namespace}`;
  return `You may not ${verb} ${what}${where}.${reason === '' ? '' : ` ${reason}`}`;
}
