// The way from the server to kubelets, pods and services, as its options say. The code that goes it is loaded when
// somebody goes it for the first time: most servers start without.

import { readFile } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import type { BackendAnswer, BackendCall, Backends } from '../outbound/backends.ts';
import type { Dial } from '../outbound/dial.ts';
import type { ServerOptions } from './options.ts';

export interface BackendCaller {
  call(call: BackendCall): Promise<BackendAnswer>;
}

/** @throws Error of a file that can't be read */
export async function backendCaller(
  options: ServerOptions,
  { clock, dial }: { clock: Clock; dial: Dial },
): Promise<BackendCaller> {
  const { kubeletCertificateAuthority, kubeletClientCertificate, kubeletClientKey } = options;
  const [ca, cert, key] = await Promise.all(
    [kubeletCertificateAuthority, kubeletClientCertificate, kubeletClientKey].map((path) =>
      path === undefined ? undefined : readFile(path, 'utf8'),
    ),
  );
  let loading: Promise<Backends> | undefined;
  const load = async () => {
    const { Backends } = await import('../outbound/backends.ts');
    return new Backends({ clock, dial, kubeletTls: { ca, cert, key } });
  };
  return {
    async call(call) {
      loading ??= load();
      return (await loading).call(call);
    },
  };
}
