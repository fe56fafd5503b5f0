import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorBody } from '../../../../api/errors.ts';
import type { Service } from './objects.ts';
import { validateSourceRanges } from './source-ranges.ts';

const KEY = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const rules = { gateEnabled: () => true };

function balancer(ranges: string[] | undefined, annotation?: string): Service {
  const annotations: Record<string, string> = annotation === undefined ? {} : { [KEY]: annotation };
  const spec = { type: 'LoadBalancer', ...(ranges !== undefined && { loadBalancerSourceRanges: ranges }) };
  return { metadata: { name: 's', annotations }, spec };
}

describe('the source ranges of a load balancer', () => {
  const values = (next: Service, previous?: Service) =>
    validateSourceRanges(next, rules, previous).map(
      (error) => /Invalid value: "(.*?)"/.exec(fieldErrorBody(error))?.[1],
    );

  it('the source ranges of a load balancer need not be mended if they were there before, whatever blanks surround them', () => {
    assert.deepEqual(values(balancer(['1.2.3.4'])), ['1.2.3.4']);
    assert.deepEqual(values(balancer(['1.2.3.4', ' 5.6.7.8']), balancer([' 1.2.3.4 ', '5.6.7.8'])), []);
  });

  it('the source ranges of a load balancer are judged as a whole in the annotation, once it changes', () => {
    assert.deepEqual(values(balancer(undefined, '1.2.3.4,x'), balancer(undefined, '1.2.3.4,x')), []);
    assert.deepEqual(values(balancer(undefined, '1.2.3.4, x'), balancer(undefined, '1.2.3.4,x')), ['1.2.3.4', 'x']);
    assert.deepEqual(values(balancer(undefined, ' ')), []);
  });
});
