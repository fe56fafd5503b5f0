// Connections from the server to kubelets, pods and services, as configured by options. The code is loaded on first
// use.

import type { Clock } from '../base/clock.ts';
import type { BackendAnswer, BackendCall, Backends } from '../outbound/backends.ts';
import type { Dial } from '../outbound/dial.ts';
import { readText } from './files.ts';
import type { ServerOptions } from './options.ts';

export interface BackendCaller {
  call(call: BackendCall): Promise<BackendAnswer>;
}

/** @throws Error if a file cannot be read */
export function backendCaller(options: ServerOptions, { clock, dial }: { clock: Clock; dial: Dial }): BackendCaller {
  const { kubeletCertificateAuthority, kubeletClientCertificate, kubeletClientKey } = options;
  const [ca, cert, key] = [kubeletCertificateAuthority, kubeletClientCertificate, kubeletClientKey].map((path) =>
    path === undefined ? undefined : readText(path),
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
