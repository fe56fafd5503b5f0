// Requests that a console in read-only mode lets through: those that the API server itself stores nothing for.

/** Reviews answer a question; they are created, and nothing is stored. */
const REVIEW = /^\/apis\/(?:authorization|authentication)\.k8s\.io\/v1\/(?:namespaces\/[^/]+\/)?[a-z]+reviews$/;
/** Subresources whose GET opens a connection that can change something. */
const CONNECTS = ['exec', 'attach', 'portforward', 'proxy'];

/**
 * Whether a request changes nothing.
 * @param path with its query
 */
export function changesNothing(method: string, path: string): boolean {
  const url = URL.parse(path, 'http://cluster');
  if (url === null || connects(url.pathname)) return false;
  if (method === 'GET' || method === 'HEAD') return true;
  if (method === 'POST' && REVIEW.test(url.pathname)) return true;
  return url.searchParams.getAll('dryRun').length === 1 && url.searchParams.get('dryRun') === 'All';
}

/** Whether a path of the core group leads through an object, as `/api/v1/namespaces/a/pods/b/exec` does. */
function connects(path: string): boolean {
  const steps = path.split('/').slice(1);
  return steps[0] === 'api' && steps.slice(2).some((step) => CONNECTS.includes(step));
}
