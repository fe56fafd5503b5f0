import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { RELEASES, stagingModule } from './module.ts';
import {
  knownVerdicts,
  outputOf,
  readVerdicts,
  regressions,
  saidBy,
  shortName,
  updated,
  type Verdict,
  verdictsIn,
  verdictsText,
} from './verdicts.ts';

const OUTPUT = `=== RUN   TestOne
=== RUN   TestOne/part
    --- PASS: TestOne/part (0.00s)
--- PASS: TestOne (0.10s)
=== RUN   TestTwo
    two_test.go:1: no
--- FAIL: TestTwo (0.10s)
=== RUN   TestThree
    three_test.go:1: NEEDS-GO-PROCESS: an injected authorizer
--- SKIP: TestThree (0.00s)
=== RUN   TestFour
--- SKIP: TestFour (0.00s)
=== RUN   TestFive
panic: test timed out
`;

suite('verdicts on integration tests', () => {
  test('the output of a test binary gives a verdict on every top-level test', () => {
    assert.deepEqual(Object.fromEntries(verdictsIn(OUTPUT)), {
      TestOne: 'pass',
      TestTwo: 'fail',
      TestThree: 'needs Go',
      TestFour: 'skip',
      TestFive: 'fail',
    });
    assert.match(outputOf(OUTPUT, 'TestTwo'), /two_test\.go:1: no\n--- FAIL: TestTwo/);
    assert.match(outputOf(OUTPUT, 'TestFive'), /timed out/);
    assert.equal(
      saidBy(`=== RUN   TestA\nI1128 07:00:00.1 1 a.go:1] b\n    c.go:2: I1128 d\n    c.go:3: no\n`, 'TestA'),
      '=== RUN   TestA\n    c.go:3: no\n',
    );
  });

  test('the list of verdicts is read as it was written', () => {
    const text = verdictsText(
      RELEASES[0]!,
      new Map([
        ['b TestB', { verdict: 'needs Go', reason: 'gates are switched while the server runs' } as const],
        ['a TestA', { verdict: 'pass', reason: '' } as const],
      ]),
    );
    assert.match(text, /\na TestA pass\nb TestB needs Go: gates are switched while the server runs\n$/);
    assert.equal(verdictsText(RELEASES[0]!, readVerdicts(text)), text);
  });

  test('a test that passed before and fails now is a regression', () => {
    const known = readVerdicts('a TestA pass\na TestB fail\na TestC needs Go: reason\na TestE fails too: why\n');
    const found = new Map([
      ['a TestA', 'fail'],
      ['a TestB', 'fail'],
      ['a TestC', 'fail'],
      ['a TestD', 'fail'],
      ['a TestE', 'fail'],
    ] as const);
    assert.deepEqual(regressions(known, found), ['a TestA']);
    const next = updated(known, found);
    assert.deepEqual(next.get('a TestC'), { verdict: 'needs Go', reason: 'reason' });
    assert.deepEqual(next.get('a TestE'), { verdict: 'fails too', reason: 'why' });
    assert.deepEqual(next.get('a TestA'), { verdict: 'fail', reason: '' });
  });

  test('packages are named without their common folder', () => {
    assert.equal(shortName('test/integration/apiserver/apply'), 'apiserver/apply');
    assert.equal(shortName('apiextensions/test/integration'), 'apiextensions');
    assert.equal(shortName('apiextensions/test/integration/conversion'), 'apiextensions/conversion');
  });

  const cache = join(process.env['GOMODCACHE'] ?? join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'pkg/mod'));

  for (const release of RELEASES) {
    const sources = [
      ['test/integration', join(cache, `k8s.io/kubernetes@v${release.version}/test/integration`)],
      [
        'apiextensions/test/integration',
        join(cache, stagingModule('apiextensions-apiserver', release), 'test/integration'),
      ],
    ] as const;
    const isThere = sources.every(([, folder]) => existsSync(folder));
    const skip = !isThere && 'Kubernetes is not there';

    test(`every integration test of Kubernetes ${release.name} that was run exists`, { skip }, () => {
      const all = sources.flatMap(([place, folder]) =>
        globSync('**/*_test.go', { cwd: folder }).flatMap((file) =>
          [...readFileSync(join(folder, file), 'utf8').matchAll(/^func (Test\w*)\(/gm)].flatMap(([, name = '']) =>
            name === 'TestMain' ? [] : [`${shortName(join(place, dirname(file)))} ${name}`],
          ),
        ),
      );
      const known = [...knownVerdicts(release).keys()];
      assert.deepEqual(
        known.filter((name) => !all.includes(name)),
        [],
      );
      // Of later releases, a part has been run.
      if (release === RELEASES[0])
        assert.deepEqual(
          all.filter((name) => !known.includes(name)),
          [],
        );
    });
  }

  test('the compatibility page has the numbers of the lists of verdicts', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/compatibility.md'), 'utf8');
    for (const release of RELEASES) {
      const verdicts = [...knownVerdicts(release).values()];
      const count = (wanted: Verdict) => verdicts.filter(({ verdict }) => verdict === wanted).length;
      const row = page.split('\n').find((line) => line.includes(`own integration tests of v${release.version}`));
      assert.deepEqual(
        /: of (\d+)[^,]*, (\d+) pass, (\d+) need .*?, (\d+) .*, and (\d+) /
          .exec(row ?? '')
          ?.slice(1)
          .map(Number),
        [verdicts.length, ...(['pass', 'needs Go', 'skip', 'fail'] as const).map(count)],
        release.version,
      );
      assert.equal(Number(/(\d+) fails? with the original/.exec(row ?? '')?.[1] ?? 0), count('fails too'));
    }
  });
});
