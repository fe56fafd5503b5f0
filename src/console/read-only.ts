// Requests that a read-only console allows: those for which the API server stores nothing.

/** Reviews are created, but nothing is stored. */
const REVIEW = /^\/apis\/(?:authorization|authentication)\.k8s\.io\/v1\/(?:namespaces\/[^/]+\/)?[a-z]+reviews$/;
/** Subresources whose GET opens a connection that can change something. */
const CONNECTS = ['exec', 'attach', 'portforward', 'proxy'];

/**
 * Whether a request is read-only. Deletions are not, even dry runs: the options in their body override the query.
 * @param path with its query
 */
export function changesNothing(method: string, path: string): boolean {
  const [escaped = '', ...query] = path.split('?');
  const steps = stepsOf(escaped);
  if (steps === undefined || connects(steps)) return false;
  if (method === 'GET' || method === 'HEAD') return true;
  if (method === 'POST' && REVIEW.test(`/${steps.join('/')}`)) return true;
  const dryRun = new URLSearchParams(query.join('?')).getAll('dryRun');
  return method !== 'DELETE' && dryRun.length === 1 && dryRun[0] === 'All';
}

/** Parses a path as the API server does; undefined if others might parse it differently. */
function stepsOf(path: string): string[] | undefined {
  try {
    const steps = decodeURIComponent(path).split('/').slice(1);
    return steps.includes('..') || steps.includes('.') ? undefined : steps;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Whether a path of the core group goes through an object, as `/api/v1/namespaces/a/pods/b/exec` does. */
function connects(steps: readonly string[]): boolean {
  return steps[0] === 'api' && steps.slice(2).some((step) => CONNECTS.includes(step));
}
