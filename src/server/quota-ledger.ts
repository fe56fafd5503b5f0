// Store of quota usage for admission: reads from the watch cache, and writes the status through the verb, as the server
// itself.

import { AdmissionChain } from '../admission/chain.ts';
import type { ObjectLookup } from '../admission/object-lookup.ts';
import type { QuotaLedger } from '../admission/quota/quota-charges.ts';
import { copyJson } from '../api/json-writer.ts';
import type { Catalog } from '../resources/catalog.ts';
import { objectIn } from '../resources/fill-in.ts';
import { prepareUpdate } from '../verbs/prepare-update.ts';
import { Query } from '../verbs/query.ts';
import type { Registry } from '../verbs/registry.ts';
import type { ResourceRequest } from '../verbs/resource-request.ts';
import { Write } from '../verbs/write.ts';
import { updateStored } from '../verbs/write-object.ts';
import { NO_WRITE_OPTIONS } from '../verbs/write-options.ts';

interface QuotaLedgerNeeds {
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly objects: ObjectLookup;
}

export function quotaLedger({ catalog, registry, objects }: QuotaLedgerNeeds): QuotaLedger {
  const definition = catalog.find('', 'resourcequotas');
  const version = definition?.versions[0];
  if (definition === undefined || version === undefined) throw new Error('there are no resource quotas');
  // A charge is written by the server itself, without admission.
  const context = { registry, admission: new AdmissionChain([]) };
  return {
    quotas: (namespace) => objects.all(definition, namespace),
    async changeUsed({ namespace, name }, used) {
      const request: ResourceRequest = {
        definition,
        version,
        namespace,
        name,
        subresource: 'status',
        user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
        userAgent: 'kube-apiserver',
        query: new Query(),
        warnings: [],
      };
      const write = new Write(context, request, NO_WRITE_OPTIONS);
      await updateStored(write, {
        change: async (previous) => {
          const after = used(previous);
          if (after === undefined) return 'nothing';
          const next = copyJson(previous);
          objectIn(next, 'status')['used'] = after;
          return { next: await prepareUpdate(write, { next, previous }) };
        },
      });
    },
  };
}
