// The Retry-After header of servers that are overloaded.

/** How often a call is retried because of it. Kubernetes' value. */
export const MAX_RETRIES = 10;

interface Answered {
  readonly status: number;
  /** The header; undefined for none. */
  readonly retryAfter: string | undefined;
}

/** Undefined for a final response. Dates are ignored, as in Go clients. */
export function retryAfterSeconds({ status, retryAfter }: Answered): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  return retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
