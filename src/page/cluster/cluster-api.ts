// Requests from the page to the cluster. The console's process forwards them and adds the credentials.

/** An error returned by the cluster, or by the console's process on its behalf. */
export class ClusterError extends Error {
  override name = 'ClusterError';
  readonly code: number;
  /** The Status in the response; undefined if the body was something else. */
  readonly status: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, message: string, status?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

interface ClusterRequest {
  readonly method?: string;
  readonly accept?: string;
  readonly contentType?: string;
  /** Strings are sent unchanged, objects as JSON. */
  readonly body?: string | object;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request to the cluster.
 * @param path with its query, as the API server expects it: `/api/v1/pods?limit=500`
 * @throws ClusterError for any unsuccessful response
 */
export async function ask(path: string, request: ClusterRequest = {}): Promise<Response> {
  const { method = 'GET', accept = 'application/json', body, signal } = request;
  const contentType = request.contentType ?? (typeof body === 'object' ? 'application/json' : undefined);
  const response = await fetch(`/k8s${path}`, {
    method,
    headers: { accept, ...(contentType !== undefined && { 'content-type': contentType }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) throw await refusal(response);
  return response;
}

/** Prefetched responses by path; each is used once. */
const ahead = new Map<string, Promise<unknown>>();

/** Prefetches the JSON at a path that a view will request once it is loaded. */
export function askAhead(path: string): void {
  const answer = askJson(path);
  // The consumer of the response handles its failure.
  answer.catch(() => {});
  ahead.set(path, answer);
}

/** Returns the JSON at a path, from the prefetched response if there is one. @throws ClusterError */
export function askFirst<T>(path: string, request: ClusterRequest): Promise<T> {
  const answer = ahead.get(path);
  ahead.delete(path);
  return answer === undefined ? askJson<T>(path, request) : (answer as Promise<T>);
}

/** Returns the JSON body of a response. @throws ClusterError for any unsuccessful response */
export async function askJson<T>(path: string, request?: ClusterRequest): Promise<T> {
  return (await (await ask(path, request)).json()) as T;
}

async function refusal(response: Response): Promise<ClusterError> {
  const text = await response.text();
  try {
    const status = JSON.parse(text) as Record<string, unknown>;
    return new ClusterError(response.status, String(status['message'] ?? text), status);
  } catch {
    return new ClusterError(response.status, text === '' ? response.statusText : text);
  }
}
