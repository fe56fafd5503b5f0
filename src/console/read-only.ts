// Requests that a console in read-only mode lets through: those that the API server itself stores nothing for.

/** Reviews answer a question; they are created, and nothing is stored. */
const REVIEW = /^\/apis\/(?:authorization|authentication)\.k8s\.io\/v\d\w*\/(?:namespaces\/[^/]+\/)?\w+reviews$/;
/** Subresources whose GET opens a connection that can change something. */
const CONNECTS =
  /^\/api\/v1\/(?:namespaces\/[^/]+\/)?(?:pods|services|nodes)\/[^/]+\/(?:exec|attach|portforward|proxy)(?:\/|$)/;

/**
 * Whether a request changes nothing.
 * @param path with its query
 */
export function changesNothing(method: string, path: string): boolean {
  const url = URL.parse(path, 'http://cluster');
  if (url === null || CONNECTS.test(url.pathname)) return false;
  if (method === 'GET' || method === 'HEAD') return true;
  if (method === 'POST' && REVIEW.test(url.pathname)) return true;
  return url.searchParams.getAll('dryRun').length === 1 && url.searchParams.get('dryRun') === 'All';
}
