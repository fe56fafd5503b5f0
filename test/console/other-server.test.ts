// The console on a server that is not Keelson: Kubernetes' own, where somebody has built it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEtcd, NO_ETCD, startEtcd } from '../etcd/etcd-process.ts';
import { findKubeApiserver, NO_KUBE_APISERVER, startKubeApiserver } from '../etcd/kube-apiserver.ts';
import { Consoles, skip } from './browser.ts';
import { fillShop } from './sample.ts';

const [etcdProgram, program] = [findEtcd(), findKubeApiserver()];
const missing = skip || (etcdProgram === undefined ? NO_ETCD : program === undefined ? NO_KUBE_APISERVER : false);

test('the lists, editor, history and views of the console work on kube-apiserver', { skip: missing }, async (t) => {
  const etcd = await startEtcd({ program: etcdProgram! });
  t.after(() => etcd.stop());
  const server = await startKubeApiserver(program!, etcd.url, ['--disable-admission-plugins=ServiceAccount']);
  t.after(() => server.stop());
  await fillShop((method, path, body) => server.ask(method, path, body));
  const consoles = await Consoles.start();
  t.after(() => consoles.close());
  const { page, origin } = await consoles.forTest(t, { kubeconfig: kubeconfigOf(server.url, server.token) });

  await page.goto(`${origin}/r/core/v1/pods?ns=shop`);
  await page
    .getByRole('row', { name: /^search-7d4b9c-m9qzt/ })
    .getByText('CrashLoopBackOff')
    .waitFor();
  await page.getByText('live', { exact: true }).waitFor();

  await page.goto(`${origin}/r/core/v1/configmaps/shop/settings?tab=yaml`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.locator('.cm-line').filter({ hasText: 'theme: plain' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('er');
  await page.getByRole('button', { name: 'Review changes' }).click();
  await page.getByRole('button', { name: 'Write' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  const { body } = await server.ask('GET', '/api/v1/namespaces/shop/configmaps/settings');
  assert.equal((body as { data: { theme: string } }).data.theme, 'plainer');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('complementary', { name: 'Versions' }).getByRole('listitem').nth(1).waitFor();

  for (const [path, shown] of [
    ['/r/apps/v1/deployments/shop/web?tab=related', 'web-7d4b9c-x2k8p'],
    ['/access?tab=who&verb=get&what=pods&ns=shop', 'By RBAC.'],
    ['/lifecycles', 'Served versions'],
    ['/server', /checks of \/readyz pass/],
  ] as const) {
    await page.goto(`${origin}${path}`);
    await page.getByRole('main').getByText(shown).first().waitFor();
  }
});

function kubeconfigOf(server: string, token: string): string {
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'other' },
    clusters: [{ name: 'other', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'other', context: { cluster: 'other', user: 'admin' } }],
  });
}
