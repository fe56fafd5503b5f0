import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageNameFault, pulledImage, withTag } from './image-names.ts';

test('a pulled image has the full name and the digest of its repository', () => {
  assert.equal(pulledImage('nginx').name, 'docker.io/library/nginx:latest');
  assert.equal(pulledImage('bitnami/redis:7').name, 'docker.io/bitnami/redis:7');
  assert.equal(pulledImage('localhost:5000/app').name, 'localhost:5000/app:latest');
  assert.match(pulledImage('registry.k8s.io/pause:3.10').id, /^registry\.k8s\.io\/pause@sha256:[0-9a-f]{64}$/);
  const byDigest = `quay.io/app@sha256:${'0'.repeat(64)}`;
  assert.equal(pulledImage(byDigest).id, byDigest);
  assert.equal(withTag('localhost:5000/app'), 'localhost:5000/app:latest');
});

test('an image is named as registries name it', () => {
  const names = [
    'nginx',
    'library/nginx:1.27',
    'localhost/app',
    '[::1]:5000/a/b__c',
    `Registry/app@sha256:${'0'.repeat(64)}`,
  ];
  assert.deepEqual(names.map(imageNameFault), [undefined, undefined, undefined, undefined, undefined]);
  const faults: Readonly<Record<string, string>> = {
    'no/such:Tag:1': 'invalid reference format',
    'with space': 'invalid reference format',
    'app@sha256:00': 'invalid reference format',
    [`app@sha256:${'0'.repeat(32)}`]: 'invalid checksum digest length',
    [`app@md5:${'0'.repeat(32)}`]: 'unsupported digest algorithm',
    'team/App': 'invalid reference format: repository name (team/App) must be lowercase',
    ['a'.repeat(300)]: 'repository name must not be more than 255 characters',
  };
  for (const [name, fault] of Object.entries(faults)) {
    assert.equal(imageNameFault(name), `couldn't parse image name "${name}": ${fault}`);
  }
});
