// Controller that signs the ConfigMap cluster-info with each bootstrap token that may sign, so that a machine that knows
// a token can tell whether the addresses and the CA in it are genuine.

import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { equalJson } from '../../api/json-equal.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { ConfigMap, Secret } from '../../resources/builtin/core/config/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { reconciler } from '../reconciler.ts';
import { expiryOf, isBootstrapToken, signingToken, TOKEN_NAMESPACE } from './bootstrap-secrets.ts';

const NAMESPACE = 'kube-public';
const NAME = 'cluster-info';
const CONTENT = 'kubeconfig';
const SIGNATURE = 'jws-kubeconfig-';

export function bootstrapSigner(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'bootstrap-signer');
  return reconciler(context, {
    name: 'bootstrap-signer-controller',
    async begin(keys) {
      const configMaps = await context.informers.open<ConfigMap>('', 'configmaps');
      const secrets = await context.informers.open<Secret>('', 'secrets');
      const isSigned = ({ metadata }: ConfigMap) => metadata.namespace === NAMESPACE && metadata.name === NAME;
      const look = (secret: Secret) => isBootstrapToken(secret) && keys.add(NAME);
      configMaps.follow({ changed: (configMap) => isSigned(configMap) && keys.add(NAME) });
      secrets.follow({ changed: look, removed: look });
      return async () => {
        const configMap = configMaps.get(NAMESPACE, NAME);
        const content = configMap?.data?.[CONTENT];
        if (configMap === undefined || content === undefined) return undefined;
        const nowMs = context.clock.now();
        const all = secrets.list(TOKEN_NAMESPACE).filter(isBootstrapToken);
        const tokens = all.flatMap((secret) => signingToken(secret, nowMs) ?? []);
        const signatures = tokens.map(({ id, secret }) => [
          `${SIGNATURE}${id}`,
          detachedSignature(content, id, secret),
        ]);
        const rest = Object.entries(configMap.data ?? {}).filter(([name]) => !name.startsWith(SIGNATURE));
        const data = Object.fromEntries([...rest, ...signatures]) as Record<string, string>;
        if (!equalJson(data, configMap.data ?? {})) {
          await objects.update<ConfigMap>(configMaps, configMap, (draft) => {
            if (draft.metadata.resourceVersion !== configMap.metadata.resourceVersion) return false;
            draft.data = data;
            return true;
          });
        }
        const ends = all.flatMap((secret) => expiryOf(secret) ?? []).filter((atMs) => atMs > nowMs);
        return ends.length === 0 ? undefined : Math.min(...ends) - nowMs + 1;
      };
    },
  });
}

/** A JSON Web Signature without the content. */
function detachedSignature(content: string, id: string, secret: string): string {
  const header = base64Url(JSON.stringify({ alg: 'HS256', kid: id }));
  const signed = `${header}.${base64Url(content)}`;
  return `${header}..${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
