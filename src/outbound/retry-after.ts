// The header Retry-After, by which servers that are busy say when to ask again.

/** How often a call is made again because the answer asks for it. Kubernetes' own number. */
export const MAX_RETRIES = 10;

interface Answered {
  readonly status: number;
  /** The header; undefined for none. */
  readonly retryAfter: string | undefined;
}

/** Undefined for an answer that stands. Dates are not read, as by clients in Go. */
export function retryAfterSeconds({ status, retryAfter }: Answered): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  return retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
