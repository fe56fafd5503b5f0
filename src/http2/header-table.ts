// The static and dynamic tables of HPACK (RFC 7541, 2.3). Both sides maintain identical dynamic tables: the latest
// field first, and the oldest evicted for lack of room.

export interface HeaderField {
  readonly name: string;
  readonly value: string;
  /** Whether both consist of permitted characters (RFC 9113, 8.2.1). */
  readonly valid: boolean;
}

/** Overhead of an entry besides its characters. */
const FIELD_OVERHEAD_BYTES = 32;

/** RFC 7541, appendix A. */
const STATIC_FIELDS = `:authority
:method GET
:method POST
:path /
:path /index.html
:scheme http
:scheme https
:status 200
:status 204
:status 206
:status 304
:status 400
:status 404
:status 500
accept-charset
accept-encoding gzip, deflate
accept-language
accept-ranges
accept
access-control-allow-origin
age
allow
authorization
cache-control
content-disposition
content-encoding
content-language
content-length
content-location
content-range
content-type
cookie
date
etag
expect
expires
from
host
if-match
if-modified-since
if-none-match
if-range
if-unmodified-since
last-modified
link
location
max-forwards
proxy-authenticate
proxy-authorization
range
referer
refresh
retry-after
server
set-cookie
strict-transport-security
transfer-encoding
user-agent
vary
via
www-authenticate`;

/** The static fields; the first has the index 1. */
export const staticFields: readonly HeaderField[] = STATIC_FIELDS.split('\n').map((line) => {
  const [name, value] = line.split(/ (.*)/);
  return { name: name!, value: value ?? '', valid: true };
});

export function fieldBytes({ name, value }: HeaderField): number {
  return name.length + value.length + FIELD_OVERHEAD_BYTES;
}

/** The dynamic table. Fields are identified by the number of their insertion, which never changes. */
export class HeaderTable {
  #fields: (HeaderField | undefined)[] = [];
  /** Insertions before the first of `#fields`. */
  #before = 0;
  /** The number of evicted fields at the front of `#fields`. */
  #dropped = 0;
  #bytes = 0;
  #limitBytes: number;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get limitBytes(): number {
    return this.#limitBytes;
  }

  /** The total number of insertions: the number of the latest is one less. */
  get inserted(): number {
    return this.#before + this.#fields.length;
  }

  /** The number of the oldest remaining field. */
  get oldest(): number {
    return this.#before + this.#dropped;
  }

  at(insertion: number): HeaderField | undefined {
    return insertion < this.oldest ? undefined : this.#fields[insertion - this.#before];
  }

  insert(field: HeaderField): void {
    this.#fields.push(field);
    this.#bytes += fieldBytes(field);
    this.#makeRoom();
  }

  resize(limitBytes: number): void {
    this.#limitBytes = limitBytes;
    this.#makeRoom();
  }

  #makeRoom(): void {
    while (this.#bytes > this.#limitBytes) {
      this.#bytes -= fieldBytes(this.#fields[this.#dropped]!);
      this.#fields[this.#dropped++] = undefined;
    }
    // Evicted fields are removed together, so that each costs nothing by itself.
    if (this.#dropped <= 64 || this.#dropped * 2 < this.#fields.length) return;
    this.#fields.splice(0, this.#dropped);
    this.#before += this.#dropped;
    this.#dropped = 0;
  }
}
