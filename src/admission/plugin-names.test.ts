import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { enabledPlugins, isPluginName } from './plugin-names.ts';

const defaults = (minor: number) => [...enabledPlugins({ minor, enable: [], disable: [], only: [] })];

describe('the admission plugins of a release', () => {
  it('admission plugins have the order of kube-apiserver, and those of newer releases are enabled by default', () => {
    const since = (minor: number) => defaults(minor).filter((name) => !defaults(34).includes(name));
    assert.deepEqual(since(35), ['NodeDeclaredFeatureValidator']);
    assert.deepEqual(since(36), [
      'PodGroupProtection',
      'PodGroupWorkloadExists',
      'NodeDeclaredFeatureValidator',
      'JobValidation',
      'PodResizeValidator',
    ]);
    assert.deepEqual(since(37), ['PodGroupProtection', 'NodeDeclaredFeatureValidator', 'PodResizeValidator']);
  });

  it('the name of an admission plugin is unknown in releases without it', () => {
    assert.ok(isPluginName('JobValidation', 36));
    assert.ok(!isPluginName('JobValidation', 37) && !isPluginName('JobValidation', 35));
    assert.ok(!isPluginName('Nonsense', 36));
  });
});
