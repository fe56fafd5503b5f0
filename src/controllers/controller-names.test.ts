import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTROLLERS, MANAGERS, selectedControllers, unknownControllers } from './controller-names.ts';

/** Those that are on by default. */
const ALL = Object.keys(CONTROLLERS).filter((name) => !/^(persistentvolume|validatingadmissionpolicy)/.test(name));

/** Those that kube-controller-manager does not have. */
const OWN = ALL.filter((name) => !MANAGERS.has(name as keyof typeof CONTROLLERS));

test('--controllers selects controllers in the syntax of kube-controller-manager', () => {
  const cases: [selection: string, expected: string[]][] = [
    ['*', ALL],
    ['', []],
    ['-*', OWN],
    ['-*,-flowschema-status', OWN.filter((name) => name !== 'flowschema-status-controller')],
    ['-*,namespace', [...OWN, 'namespace-controller']],
    ['namespace-controller', ['namespace-controller']],
    ['*,-namespace-controller', ALL.filter((name) => name !== 'namespace-controller')],
    ['-namespace-controller,*', ALL.filter((name) => name !== 'namespace-controller')],
    [' * , persistentvolume-protection-controller', [...ALL, 'persistentvolume-protection-controller']],
    ['garbagecollector,-garbage-collector-controller', ['garbage-collector-controller']],
  ];
  for (const [selection, expected] of cases) {
    assert.deepEqual([...selectedControllers(selection)].sort(), [...expected].sort(), selection);
  }
});

test('unknown names in --controllers are reported', () => {
  assert.deepEqual(unknownControllers('*,-namespace,serviceaccount-controller'), []);
  assert.deepEqual(unknownControllers('*,node-controller,-nothing'), ['node-controller', 'nothing']);
});
