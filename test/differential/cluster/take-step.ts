// One step of a sequence, sent to one side.

import type { Side } from './sides.ts';
import type { Step } from './step.ts';

/** How long before a full minute a step that awaits it is sent, and how long after it the next one follows. */
const BEFORE_MS = 5_000;
const AFTER_MS = 4_000;
const MINUTE_MS = 60_000;

function waited(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Sends a step to both sides, at the same time. @returns the status of each answer */
export async function take(sides: readonly Side[], namespace: string, step: Step): Promise<number[]> {
  if (step.awaitsMinute !== true) return Promise.all(sides.map((side) => send(side, namespace, step)));
  const left = () => MINUTE_MS - (Date.now() % MINUTE_MS);
  await waited(left() > BEFORE_MS ? left() - BEFORE_MS : left() + MINUTE_MS - BEFORE_MS);
  const statuses = await Promise.all(sides.map((side) => send(side, namespace, step)));
  await waited(left() + AFTER_MS);
  return statuses;
}

async function send({ server }: Side, namespace: string, { method, path, body }: Step): Promise<number> {
  const named = path.replaceAll('$NS', namespace).replace('/NS/', `/namespaces/${namespace}/`);
  const filled = JSON.parse(JSON.stringify(body ?? null).replaceAll('$NS', namespace)) ?? undefined;
  const sent = method === 'PATCH' ? server.patch(`/${named}`, filled) : server.request(method, `/${named}`, filled);
  return (await sent).status;
}
