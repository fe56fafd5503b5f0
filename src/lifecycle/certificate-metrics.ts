// Metrics of issued certificates, with kube-apiserver's names.

import type { MetricRegistry } from './metrics.ts';

export type CertificateMetrics = ReturnType<typeof declareCertificateMetrics>;

export function declareCertificateMetrics(registry: MetricRegistry) {
  const issued = (name: string, which: string) =>
    registry.counter({
      name: `apiserver_certificates_registry_csr_${name}_duration_total`,
      help: `Number of certificates issued for requests with a duration${which}, by signer; those outside kubernetes.io are counted together.`,
      stability: 'ALPHA',
      labels: ['signerName'],
    });
  return { requested: issued('requested', ''), honored: issued('honored', ' that the signer honored') };
}
