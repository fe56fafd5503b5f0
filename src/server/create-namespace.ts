// Creation of missing namespaces on behalf of requests (NamespaceAutoProvision).

import { copyJson } from '../api/json-writer.ts';
import type { Catalog } from '../resources/catalog.ts';
import { createDecoded } from '../verbs/create.ts';
import { Query } from '../verbs/query.ts';
import { Write, type WriteContext } from '../verbs/write.ts';
import { NO_WRITE_OPTIONS } from '../verbs/write-options.ts';

const USER = { name: 'system:apiserver', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };

/** Creates it like any client, with admission and validation. @throws ApiError */
export async function createNamespace(context: WriteContext, catalog: Catalog, name: string): Promise<void> {
  const entry = catalog.lookup('', 'v1', 'namespaces');
  if (entry === undefined) throw new Error('namespaces are not served');
  const { definition, version } = entry;
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  definition.strategy.defaults?.(object, context.registry.strategyContext(USER));
  const request = {
    definition,
    version,
    namespace: '',
    name,
    subresource: '',
    user: USER,
    userAgent: 'kube-apiserver',
    query: new Query(),
    warnings: [],
  };
  await createDecoded(new Write(context, request, NO_WRITE_OPTIONS), copyJson(object));
}
