import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { type Log, silentLog } from '../base/log.ts';
import { type Peer, PeerServers } from './peer-servers.ts';

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' };
const PODS = { group: '', version: 'v1', resource: 'pods' };

function document(group: string, version: string, resource: string): string {
  const resources = [{ resource }];
  return JSON.stringify({ items: [{ metadata: { name: group }, versions: [{ version, resources }] }] });
}

function peersOf(peers: Peer[]) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => void warnings.push(message) };
  const answers = {
    status: 200,
    of: (path: string) => (path === '/api' ? document('', 'v1', 'pods') : document('batch', 'v1', 'jobs')),
  };
  const servers = new PeerServers({
    ...{ clock, log },
    turns: { begin: () => ({ over: () => undefined }) } as never,
    peers: async () => peers,
    async ask(id, path) {
      asked.push(`${id}${path}`);
      const { status } = answers;
      return { status, contentType: 'application/json', etag: undefined, body: answers.of(path), url: `https://${id}` };
    },
  });
  return { servers, clock, asked, warnings, answers };
}

describe('peer servers on one store', () => {
  it('a peer server is asked for its discovery once, and again after a restart', async () => {
    const peers = [{ id: 'a', holder: 'a_1' }];
    const { servers, asked } = peersOf(peers);
    const found = await Promise.all([servers.serving(JOBS), servers.serving(PODS)]);
    assert.deepEqual(found, [['a'], ['a']]);
    assert.deepEqual(await servers.serving({ ...JOBS, version: 'v2' }), []);
    assert.deepEqual(asked, ['a/api', 'a/apis']);
    peers[0] = { id: 'a', holder: 'a_2' };
    assert.deepEqual(await servers.serving(JOBS), ['a']);
    assert.equal(asked.length, 4);
  });

  it('peer servers on one store serve nothing while they do not respond, and are left alone for a while', async () => {
    const { servers, asked, answers, clock, warnings } = peersOf([{ id: 'a', holder: 'a_1' }]);
    answers.status = 503;
    assert.deepEqual(await servers.serving(JOBS), []);
    answers.status = 200;
    assert.deepEqual(await servers.serving(JOBS), []);
    assert.deepEqual(asked, ['a/api']);
    assert.equal(warnings.length, 1);
    clock.advance(limits.peerRetryMs);
    assert.deepEqual(await servers.serving(JOBS), ['a']);
  });

  it('peer servers on one store tell their groups, of which those that all servers know are left out from then on', async () => {
    const { servers, asked } = peersOf([{ id: 'a', holder: 'a_1' }]);
    const groups = [{ metadata: { name: 'batch' }, versions: [{ version: 'v1', resources: [{ resource: 'jobs' }] }] }];
    const first = await servers.groups(() => false);
    assert.deepEqual(first.servers, [{ id: 'a', groups }]);
    assert.deepEqual(await servers.groups(() => false), first);
    const second = await servers.groups((group, version) => group === 'batch' && version === 'v1');
    assert.deepEqual(second.servers, []);
    assert.notEqual(second.generation, first.generation);
    assert.deepEqual(await servers.groups(() => false), second);
    assert.equal(asked.length, 2);
  });

  it('peer servers on one store are forgotten with their Leases, and are limited in number', async () => {
    const peers = Array.from({ length: limits.peerServers + 1 }, (_, at) => ({ id: `p${at}`, holder: 'x' }));
    const { servers } = peersOf(peers);
    assert.equal((await servers.serving(JOBS)).length, limits.peerServers);
    peers.splice(1);
    assert.deepEqual(await servers.serving(JOBS), ['p0']);
  });
});
