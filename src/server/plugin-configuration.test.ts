import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { type PluginConfigurationNeeds, readPluginConfiguration } from './plugin-configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'keelson-plugins-'));
after(() => rmSync(folder, { recursive: true }));

/** The node selectors that a file with this head configures. */
async function selectorsIn(apiVersion: string): Promise<unknown> {
  const path = join(folder, 'admission.json');
  const configuration = { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b' } };
  const plugins = [{ name: 'PodNodeSelector', configuration }];
  writeFileSync(path, JSON.stringify({ apiVersion, kind: 'AdmissionConfiguration', plugins }));
  const read = await readPluginConfiguration(
    path,
    new Set(['PodNodeSelector'] as const),
    {} as PluginConfigurationNeeds,
  );
  return read.nodeSelectors;
}

suite('an AdmissionConfiguration', () => {
  for (const apiVersion of ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1']) {
    test(`an AdmissionConfiguration of ${apiVersion} is read`, async () => {
      assert.deepEqual(await selectorsIn(apiVersion), { clusterDefaultNodeSelector: 'a=b' });
    });
  }

  for (const apiVersion of ['apiserver.config.k8s.io/v1alpha1', 'apiserver.k8s.io/v1', 'v1']) {
    test(`an AdmissionConfiguration of ${apiVersion} is rejected, because there is no such version`, async () => {
      const message = new RegExp(`no kind "AdmissionConfiguration" is registered for version "${apiVersion}"`);
      await assert.rejects(selectorsIn(apiVersion), message);
    });
  }
});
