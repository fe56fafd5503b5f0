// Requests of the page to its cluster, which the console's process hands on with credentials.

/** A refusal of the cluster, or of the console's process in its place. */
export class ClusterError extends Error {
  override name = 'ClusterError';
  readonly code: number;
  /** The Status as it came; undefined where something else came. */
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
  /** Sent as it is; objects as JSON. */
  readonly body?: string | object;
  readonly signal?: AbortSignal;
}

/**
 * Asks the cluster.
 * @param path with its query, as the API server knows it: `/api/v1/pods?limit=500`
 * @throws ClusterError for any answer but success
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

/** Answers that were asked for before the view that needs them was there, by path; each is taken once. */
const ahead = new Map<string, Promise<unknown>>();

/** Asks for the JSON at a path that a view will ask for once it is loaded. */
export function askAhead(path: string): void {
  const answer = askJson(path);
  // Whoever takes the answer handles its failure.
  answer.catch(() => {});
  ahead.set(path, answer);
}

/** The JSON at a path, from the answer that was asked for ahead where there is one. @throws ClusterError */
export function askFirst<T>(path: string, request: ClusterRequest): Promise<T> {
  const answer = ahead.get(path);
  ahead.delete(path);
  return answer === undefined ? askJson<T>(path, request) : (answer as Promise<T>);
}

/** The JSON of an answer. @throws ClusterError for any answer but success */
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
