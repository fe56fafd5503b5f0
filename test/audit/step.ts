// One request of a conversation that is audited.

import type { JsonObject } from '../../src/api/object.ts';

export interface Step {
  /** Also its Audit-ID. */
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  /** A bearer token; '' for none. The administrator's by default. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Promise<Buffer> | JsonObject;
  readonly type?: string;
  /** Whether the client announces more of the body and then disconnects. */
  readonly isCut?: boolean;
}
