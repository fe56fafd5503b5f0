// A request that the server rejects before any handler sees it; the connection closes afterwards.

export class Refusal extends Error {
  override name = 'Refusal';
  /** The status line without the version, such as `400 Bad Request: missing required Host header`. */
  readonly status: string;
  readonly body: string;

  constructor(status: string, body: string = status) {
    super(status);
    this.status = status;
    this.body = body;
  }

  /** The whole response. It has no length: the end of the connection ends it. */
  get response(): string {
    const head = `HTTP/1.1 ${this.status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`;
    return head + this.body;
  }
}

/** @param detail says what is wrong where Go's server says it */
export function badRequest(detail?: string): Refusal {
  return new Refusal(detail === undefined ? '400 Bad Request' : `400 Bad Request: ${detail}`);
}
