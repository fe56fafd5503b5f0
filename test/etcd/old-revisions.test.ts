// Lists at revisions of the past, from kube-apiserver and from Keelson on one etcd: both read what etcd still has, continue
// each other's lists, and refuse what etcd has compacted in the same words.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from './etcd-process.ts';
import { findKubeApiserver, type KubeApiserver, NO_KUBE_APISERVER, startKubeApiserver } from './kube-apiserver.ts';

interface Listed {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items?: readonly unknown[];
  readonly message?: string;
}

const program = findEtcd();
const reference = findKubeApiserver();
const skip = program === undefined ? NO_ETCD : reference === undefined ? NO_KUBE_APISERVER : false;
const maps = '/api/v1/namespaces/default/configmaps';

describe('lists at older resourceVersions', { skip, timeout: 120_000 }, () => {
  let etcd: EtcdProcess;
  let kube: KubeApiserver;
  let keelson: TestServer;
  /** The revision of the list after each of the changes. */
  const revisions: number[] = [];

  const both = async (path: string) => {
    const there = await kube.ask('GET', path);
    const { status, body } = await keelson.request('GET', path);
    assert.deepEqual({ status, body }, there, path);
    return there as { status: number; body: Listed };
  };
  const listRevision = async () => {
    const { body } = await kube.ask('GET', maps);
    return Number((body as Listed).metadata.resourceVersion);
  };

  before(async () => {
    etcd = await startEtcd({ program: program ?? '' });
    kube = await startKubeApiserver(reference ?? '', etcd.url);
    for (let index = 0; index < 8; index++) {
      const labels = { parity: index % 2 === 0 ? 'even' : 'odd' };
      await kube.ask('POST', maps, { metadata: { name: `m${index}`, labels }, data: { v: '1' } });
      revisions.push(await listRevision());
    }
    await kube.ask('DELETE', `${maps}/m3`);
    revisions.push(await listRevision());
    await kube.ask('PUT', `${maps}/m5`, { metadata: { name: 'm5' }, data: { v: '2' } });
    revisions.push(await listRevision());
    // Begins after all that: nothing of the past is in its cache.
    keelson = await startTestServer({ etcdServers: [etcd.url], controllers: '' });
  });
  after(async () => {
    await keelson?.close();
    await kube?.stop();
    await etcd?.stop();
  });

  it('lists at older resourceVersions are the same at each revision, with selectors and limits', async () => {
    for (const revision of revisions) {
      for (const more of ['', '&labelSelector=parity=odd', '&fieldSelector=metadata.name=m5']) {
        await both(`${maps}?resourceVersion=${revision}&resourceVersionMatch=Exact${more}`);
        await both(`${maps}?resourceVersion=${revision}&resourceVersionMatch=Exact&limit=3${more}`);
      }
    }
  });

  it('lists at older resourceVersions can be continued by the other server', async () => {
    for (const query of ['limit=3', `limit=3&resourceVersion=${revisions[4]}&resourceVersionMatch=Exact`]) {
      let token: string | undefined = '';
      let pages = 0;
      while (token !== undefined) {
        const path: string =
          token === '' ? `${maps}?${query}` : `${maps}?limit=3&continue=${encodeURIComponent(token)}`;
        const { body } = await both(path);
        token = body.metadata.continue;
        pages++;
      }
      assert.ok(pages >= 2);
    }
  });

  it('lists at older resourceVersions accept and reject the same combinations of ListOptions', async () => {
    const newest = revisions.at(-1)!;
    const broken = 'abc';
    const versions = ['', '0', String(revisions[0]), String(revisions[5]), String(newest), 'abc', '-1'];
    for (const version of versions) {
      for (const match of ['', 'Exact', 'NotOlderThan', 'Other']) {
        for (const limit of ['', '2', '0']) {
          for (const more of ['', '&labelSelector=parity=even', `&continue=${broken}`]) {
            const query = new URLSearchParams();
            if (version !== '') query.set('resourceVersion', version);
            if (match !== '') query.set('resourceVersionMatch', match);
            if (limit !== '') query.set('limit', limit);
            await both(`${maps}?${query}${more}`);
          }
        }
      }
    }
    for (const token of [
      [1],
      { v: 1 },
      { rv: 'x' },
      { rv: 1.5 },
      { start: {} },
      { V: 'meta.k8s.io/v1', rv: 1 },
      null,
      true,
    ]) {
      await both(`${maps}?continue=${Buffer.from(JSON.stringify(token)).toString('base64url')}`);
    }
  });

  it('lists at older resourceVersions are refused once etcd has compacted them', async () => {
    const page = (await both(`${maps}?limit=3`)).body.metadata.continue!;
    await kube.ask('PUT', `${maps}/m6`, { metadata: { name: 'm6' }, data: { v: '3' } });
    const now = await listRevision();
    const compacted = await fetch(`${etcd.url}/v3/kv/compaction`, {
      method: 'POST',
      body: JSON.stringify({ revision: now, physical: true }),
    });
    assert.equal(compacted.status, 200);
    const exact = 'resourceVersionMatch=Exact';
    await both(`${maps}?limit=3&continue=${encodeURIComponent(page)}`);
    for (const revision of [revisions[2], now - 1, now]) {
      for (const more of [exact, `${exact}&limit=2`, 'limit=2', 'resourceVersionMatch=NotOlderThan']) {
        await both(`${maps}?resourceVersion=${revision}&${more}`);
      }
    }
  });
});
