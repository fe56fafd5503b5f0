// Objects that tests create and do not expect to be refused.

import assert from 'node:assert/strict';
import type { ApiObject } from '../src/api/object.ts';
import type { TestServer } from '../src/testing.ts';

/** Creates an object. Fails with the response if it is refused. */
export async function created(server: TestServer, path: string, object: unknown): Promise<ApiObject> {
  const { status, body } = await server.request('POST', path, object);
  assert.equal(status, 201, JSON.stringify(body));
  return body as ApiObject;
}
