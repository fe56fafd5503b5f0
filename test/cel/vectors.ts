// The conformance vectors of CEL: cel-spec's own, and those extracted from cel-go's tests, each with cel-go's result.

import { tests as checkingSuite } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehensionSuite } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformanceSuite } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsingSuite } from '@bufbuild/cel-spec/testdata/parsing.js';

export interface Vector {
  readonly original: { readonly expr: string; readonly name?: string };
  /** The parsed tree; absent if parsing failed. */
  readonly ast?: string;
  readonly error?: string;
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly tests?: readonly Vector[];
}

function vectorsOf(suite: Suite): readonly Vector[] {
  return [...(suite.tests ?? []), ...(suite.suites ?? []).flatMap(vectorsOf)];
}

export const VECTORS: Readonly<Record<'parsing' | 'conformance' | 'comprehension' | 'checking', readonly Vector[]>> = {
  parsing: vectorsOf(parsingSuite as Suite),
  conformance: vectorsOf(conformanceSuite as Suite),
  comprehension: vectorsOf(comprehensionSuite as Suite),
  checking: vectorsOf(checkingSuite as Suite),
};
