// Ports of the machine on which the console runs that lead to ports of pods.

import { signal } from '@preact/signals';
import type { PortForward } from '../../api/console-answers.ts';

/** Those that are open, as far as known. */
export const portForwards = signal<readonly PortForward[]>([]);

const PATH = '/console/forwards';

/** Reads which are open. @throws Error with the reason */
export function readForwards(): Promise<void> {
  return send(PATH, 'GET');
}

/** Opens a port that leads to one of a pod; `localPort` 0 takes any free one. @throws Error with the reason */
export function startForward(asked: Omit<PortForward, 'id' | 'fault'>): Promise<void> {
  return send(PATH, 'POST', asked);
}

/** @throws Error with the reason */
export function stopForward(id: number): Promise<void> {
  return send(`${PATH}/${id}`, 'DELETE');
}

async function send(path: string, method: string, body?: object): Promise<void> {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...(body !== undefined && json) });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(String((answer as { message?: unknown }).message));
  portForwards.value = answer as PortForward[];
}
