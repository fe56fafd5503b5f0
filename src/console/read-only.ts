// Requests that a console in read-only mode lets through: those that the API server itself stores nothing for.

/** Reviews answer a question; they are created, and nothing is stored. */
const REVIEW = /^\/apis\/(?:authorization|authentication)\.k8s\.io\/v1\/(?:namespaces\/[^/]+\/)?[a-z]+reviews$/;
/** Subresources whose GET opens a connection that can change something. */
const CONNECTS = ['exec', 'attach', 'portforward', 'proxy'];

/**
 * Whether a request changes nothing. Deletions do, dry runs too: the options in their body count for more than the query.
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

/** A path as the API server takes it apart; undefined for one that others may take apart otherwise. */
function stepsOf(path: string): string[] | undefined {
  try {
    const steps = decodeURIComponent(path).split('/').slice(1);
    return steps.includes('..') || steps.includes('.') ? undefined : steps;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Whether a path of the core group leads through an object, as `/api/v1/namespaces/a/pods/b/exec` does. */
function connects(steps: readonly string[]): boolean {
  return steps[0] === 'api' && steps.slice(2).some((step) => CONNECTS.includes(step));
}
