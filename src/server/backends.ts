// Connections from the server to kubelets, pods and services, as configured by options. The code is loaded on first
// use.

import type { Clock } from '../base/clock.ts';
import type { BackendAnswer, BackendCall, Backends, KubeletTls } from '../outbound/backends.ts';
import type { Dial } from '../outbound/dial.ts';
import { certificatesFault } from './certificates-fault.ts';
import { CurrentFiles } from './current-files.ts';
import { isKeyPair } from './key-pair.ts';
import type { ServerOptions } from './options.ts';

export interface BackendCaller {
  call(call: BackendCall): Promise<BackendAnswer>;
}

/** @throws Error if a file cannot be read */
export function backendCaller(options: ServerOptions, { clock, dial }: { clock: Clock; dial: Dial }): BackendCaller {
  const { kubeletCertificateAuthority, kubeletClientCertificate: cert, kubeletClientKey: key } = options;
  const authority = kubeletCertificateAuthority === undefined ? [] : [kubeletCertificateAuthority];
  const authorities = new CurrentFiles(authority, { clock, isUsable: areCertificates });
  const pair = new CurrentFiles(cert === undefined || key === undefined ? [] : [cert, key], {
    clock,
    isUsable: isKeyPair,
  });
  const kubeletTls = (): KubeletTls => {
    const [ca] = authorities.current();
    const [cert, key] = pair.current();
    return { ca, cert, key };
  };
  let loading: Promise<Backends> | undefined;
  const load = async () => {
    const { Backends } = await import('../outbound/backends.ts');
    return new Backends({ clock, dial, kubeletTls });
  };
  return {
    async call(call) {
      loading ??= load();
      return (await loading).call(call);
    },
  };
}

/** Whether each text is certificates in PEM. */
export function areCertificates(texts: readonly string[]): boolean {
  return texts.every((text) => certificatesFault(text) === undefined);
}
