// The command lines that kubeadm, kind and k3s start kube-apiserver with: they start this server as they stand. Their
// files are made here, and objects are kept in memory in place of etcd.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseServeFlags } from '../../src/cli/flags.ts';
import { startServer } from '../../src/server/server.ts';
import { strangers } from '../listening.ts';

const made = strangers(['localhost', '127.0.0.1']);
const signing = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const EGRESS = JSON.stringify({
  apiVersion: 'apiserver.k8s.io/v1beta1',
  kind: 'EgressSelectorConfiguration',
  egressSelections: [{ name: 'cluster', connection: { proxyProtocol: 'Direct' } }],
});

/** What stands in a file that a flag names. */
function contentOf(flag: string, path: string): string {
  if (flag.startsWith('service-account')) return path.endsWith('.pub') ? signing.publicKey : signing.privateKey;
  if (flag.startsWith('egress')) return EGRESS;
  if (/ca-file$|cafile$|authority$/.test(flag)) return made.caCertPem;
  if (flag.startsWith('tls')) return path.endsWith('.key') ? made.servingKeyPem : made.servingCertPem;
  return path.endsWith('.key') ? made.adminKeyPem : made.adminCertPem;
}

for (const installer of ['kubeadm', 'kind', 'k3s']) {
  test(`the kube-apiserver command line of ${installer} starts the server`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-command-'));
    try {
      const text = readFileSync(new URL(`../fixtures/command-lines/${installer}.txt`, import.meta.url), 'utf8');
      const argv = text
        .trim()
        .split('\n')
        .map((argument) => {
          const [, flag = '', path = ''] = /^--([a-z-]+)=(\/.*)$/.exec(argument) ?? [];
          if (path === '') return argument;
          const placed = join(folder, path);
          mkdirSync(dirname(placed), { recursive: true });
          if (flag !== 'cert-dir') writeFileSync(placed, contentOf(flag, path));
          return `--${flag}=${placed}`;
        });
      const parsed = parseServeFlags(argv);
      assert.ok('options' in parsed, JSON.stringify(parsed));
      const { options } = parsed;
      const memory = { etcdServers: [], etcdCaFile: undefined, etcdCertFile: undefined, etcdKeyFile: undefined };
      const here = { securePort: 0, bindAddress: '127.0.0.1', store: 'memory', ...memory } as const;
      await using server = await startServer({ ...options, ...here }, { ephemeral: true });
      const ready = await server.fetch(new Request('https://x/readyz', { headers: {} }));
      assert.equal(ready.status, options.anonymousAuth ? 200 : 401);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
