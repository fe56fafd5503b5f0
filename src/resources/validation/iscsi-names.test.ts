import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsInQualifiedName } from './iscsi-names.ts';

/** Kubernetes' own pattern, which goes back over a long text again and again. */
const PATTERN = /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\t\n\f\r ]+)$/;

test('validation of an iSCSI name agrees with the pattern of Kubernetes', () => {
  const pieces = ['iqn.', '2001-04', '.', 'com', ':', 'a', ',', ' ', '_', '-', 'iqn.2001-04.com:a', 'iqn.2001-04.x'];
  let yes = 0;
  for (let seed = 0; seed < 40_000; seed++) {
    let text = '';
    for (let rest = seed * 7919 + 3; rest > 0; rest = Math.floor(rest / 13)) text += pieces[rest % 13] ?? '';
    assert.equal(endsInQualifiedName(text), PATTERN.test(text), text);
    if (endsInQualifiedName(text)) yes++;
  }
  assert.ok(yes > 100, `${yes}`);
});
