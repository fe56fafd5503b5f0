// Requests of the page about forwarded ports: `GET /console/forwards`, `POST` with what to forward, and `DELETE` with the
// number of one.

import type { PortForward } from '../api/console-answers.ts';
import { isObject } from '../api/is-object.ts';
import type { PortForwards } from './port-forwards.ts';

interface ForwardsRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

interface Refused {
  readonly status: 400 | 404 | 405 | 409;
  readonly message: string;
}

/** Carries out a request; returns the ports that are open then, or why it was refused. */
export async function forwardsRequest(
  forwards: PortForwards,
  { method, path, body }: ForwardsRequest,
): Promise<readonly PortForward[] | Refused> {
  const id = Number(/^\/console\/forwards\/(\d{1,9})$/.exec(path)?.[1]);
  if (method === 'GET') return forwards.list();
  if (method === 'DELETE') return forwards.stop(id) ? forwards.list() : { status: 404, message: 'it is not open' };
  if (method !== 'POST') return { status: 405, message: 'ports are listed, opened and closed' };
  const asked = askedIn(body);
  if (asked === undefined) return { status: 400, message: 'name a namespace, a pod and a port from 1 to 65535' };
  try {
    await forwards.start(asked);
    return forwards.list();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTaken = code === 'EADDRINUSE';
    return { status: 409, message: isTaken ? `port ${asked.localPort} of this machine is in use` : message };
  }
}

function askedIn(body: string) {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { namespace, pod, port, localPort = 0 } = value as Readonly<Record<string, unknown>>;
  if (typeof namespace !== 'string' || typeof pod !== 'string' || !isPort(port) || !isPort(localPort, 0))
    return undefined;
  return { namespace, pod, port, localPort };
}

function isPort(value: unknown, least = 1): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= 65_535;
}
