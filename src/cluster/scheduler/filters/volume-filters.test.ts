import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  listerOf,
  makeInfo,
  makeNode,
  makeSnapshot,
  nodeOf,
  sourcesWith,
} from '../../../../test/scheduling-objects.ts';
import { type Filter, isRejection, type Rejection } from '../filter.ts';
import { nodeVolumeLimits, volumeRestrictions, volumeZone } from './volume-filters.ts';

const using = (name: string, ...claimNames: string[]) =>
  makeInfo(name, {
    spec: { volumes: claimNames.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })) },
  });
const claim = (name: string, accessMode = 'ReadWriteOnce') => ({
  metadata: { namespace: 'default', name },
  spec: { accessModes: [accessMode], volumeName: `pv-${name}` },
});

function filterOf(prepared: Filter | Rejection | undefined): Filter {
  assert.ok(prepared !== undefined && !isRejection(prepared));
  return prepared;
}

test('a ReadWriteOncePod claim that another pod uses keeps a pod from every node', () => {
  const sources = sourcesWith({ claims: listerOf([claim('data', 'ReadWriteOncePod')]) });
  const other = using('other', 'data');
  const snapshot = makeSnapshot([makeNode('one'), makeNode('two')], { one: [other] });
  const filter = filterOf(volumeRestrictions(using('p', 'data'), sources, snapshot));
  const reason =
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';
  assert.deepEqual(filter.check(nodeOf(snapshot, 'two'))?.reasons, [reason]);
  const copy = filter.copy!();
  copy.moved!(other, nodeOf(snapshot, 'one'), -1);
  assert.equal(copy.check(nodeOf(snapshot, 'two')), undefined);
});

test('a disk that another pod writes to is not available on its node', () => {
  const disk = (readOnly: boolean) => ({
    spec: { volumes: [{ name: 'd', gcePersistentDisk: { pdName: 'disk', readOnly } }] },
  });
  const snapshot = makeSnapshot([makeNode('one'), makeNode('two')], { one: [makeInfo('other', disk(true))] });
  const check = (readOnly: boolean, node: string) =>
    filterOf(volumeRestrictions(makeInfo('p', disk(readOnly)), sourcesWith({}), snapshot)).check(
      nodeOf(snapshot, node),
    );
  assert.deepEqual(check(false, 'one')?.reasons, ['node(s) had no available disk']);
  assert.equal(check(true, 'one'), undefined);
  assert.equal(check(false, 'two'), undefined);
});

test('a pod goes to the zone of its volumes, where nodes have zones', () => {
  const zone = 'topology.kubernetes.io/zone';
  const volumes = listerOf([{ metadata: { name: 'pv-data', labels: { [zone]: 'a__b' } } }]);
  const filter = filterOf(volumeZone(using('p', 'data'), sourcesWith({ claims: listerOf([claim('data')]), volumes })));
  const snapshot = makeSnapshot([
    makeNode('inside', { labels: { [zone]: 'b' } }),
    makeNode('outside', { labels: { [zone]: 'c' } }),
    makeNode('nowhere'),
  ]);
  assert.equal(filter.check(nodeOf(snapshot, 'inside')), undefined);
  assert.deepEqual(filter.check(nodeOf(snapshot, 'outside'))?.reasons, ['node(s) had no available volume zone']);
  assert.equal(filter.check(nodeOf(snapshot, 'nowhere')), undefined);
});

test('a driver attaches no more volumes to a node than its CSINode allows', () => {
  const driver = 'disks.example.com';
  const names = ['a', 'b', 'c'];
  const sources = sourcesWith({
    claims: listerOf(names.map((name) => claim(name))),
    volumes: listerOf(
      names.map((name) => ({ metadata: { name: `pv-${name}` }, spec: { csi: { driver, volumeHandle: name } } })),
    ),
    csiNodes: listerOf([
      { metadata: { name: 'one' }, spec: { drivers: [{ name: driver, allocatable: { count: 2 } }] } },
    ]),
  });
  const snapshot = makeSnapshot([makeNode('one')], { one: [using('other', 'a', 'b')] });
  const check = (...claims: string[]) =>
    filterOf(nodeVolumeLimits(using('p', ...claims), sources)).check(nodeOf(snapshot, 'one'));
  assert.deepEqual(check('c')?.reasons, ['node(s) exceed max volume count']);
  assert.equal(check('a'), undefined, 'a volume that is there already counts once');
});
