// The console's process as the page knows it: the contexts of its kubeconfig, and whether it lets anything be changed.

import { signal } from '@preact/signals';

export interface Session {
  readonly contexts: readonly string[];
  readonly context: string;
  readonly server: string;
  readonly readOnly: boolean;
}

export const session = signal<Session | undefined>(undefined);

/** Reads the session. @throws Error when the process does not answer */
export async function readSession(): Promise<void> {
  session.value = await answer(await fetch('/console/session'));
}

/** Points the console at another context; whatever is shown belongs to the old one. @throws Error with the reason */
export async function chooseContext(context: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  session.value = await answer(
    await fetch('/console/context', { method: 'PUT', headers, body: JSON.stringify({ context }) }),
  );
}

async function answer(response: Response): Promise<Session> {
  if (!response.ok) throw new Error((await response.text()).trim());
  return (await response.json()) as Session;
}
