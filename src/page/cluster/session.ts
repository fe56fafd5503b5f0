// The console's process as seen by the page: the contexts of its kubeconfig, and whether it is read-only.

import { signal } from '@preact/signals';
import type { ConsoleSession } from '../../api/console-answers.ts';

export const session = signal<ConsoleSession | undefined>(undefined);

/** Reads the session. @throws Error if the process does not respond */
export async function readSession(): Promise<void> {
  session.value = await answer(await fetch('/console/session'));
}

/**
 * Switches the console to another context; everything shown belongs to the previous one. @throws Error with the reason
 */
export async function chooseContext(context: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  session.value = await answer(
    await fetch('/console/context', { method: 'PUT', headers, body: JSON.stringify({ context }) }),
  );
}

async function answer(response: Response): Promise<ConsoleSession> {
  if (!response.ok) throw new Error((await response.text()).trim());
  return (await response.json()) as ConsoleSession;
}
