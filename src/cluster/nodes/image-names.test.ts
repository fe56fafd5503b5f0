import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pulledImage, withTag } from './image-names.ts';

test('a pulled image has the full name and the digest of its repository', () => {
  assert.equal(pulledImage('nginx').name, 'docker.io/library/nginx:latest');
  assert.equal(pulledImage('bitnami/redis:7').name, 'docker.io/bitnami/redis:7');
  assert.equal(pulledImage('localhost:5000/app').name, 'localhost:5000/app:latest');
  assert.match(pulledImage('registry.k8s.io/pause:3.10').id, /^registry\.k8s\.io\/pause@sha256:[0-9a-f]{64}$/);
  const byDigest = `quay.io/app@sha256:${'0'.repeat(64)}`;
  assert.equal(pulledImage(byDigest).id, byDigest);
  assert.equal(withTag('localhost:5000/app'), 'localhost:5000/app:latest');
});
