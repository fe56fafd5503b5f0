// `format` against the conformance vectors of the language, but for what version 2 of the strings library writes in
// another way than the version that they are for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { Environment } from '../environment.ts';
import { ANY, type Type } from '../types/type.ts';
import { standardLibrary } from './standard/standard.ts';
import { STRINGS } from './strings.ts';

interface Vector {
  readonly original: {
    readonly name: string;
    readonly expr: string;
    readonly value?: { readonly stringValue?: string };
    readonly evalError?: { readonly errors: readonly { readonly message: string }[] };
    readonly bindings?: unknown;
  };
}
interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly Vector[];
}
for (const name of ['format', 'format_errors']) {
  const suite = (conformance as unknown as Suite).suites?.find((s) => s.name === 'string_ext')?.suites?.find((s) => s.name === name);
  const environment = new Environment({ libraries: [standardLibrary(), STRINGS] });
  for (const { original } of suite?.tests ?? []) {
    if (original.bindings) { console.log('bindings', original.name); continue; }
    const p = environment.parse(original.expr).parsed!;
    let got: string;
    try { got = String(environment.program(p).evaluate({}).value); } catch (e: any) { got = 'error ' + e.message; }
    const want = original.evalError ? 'error ' + original.evalError.errors[0]!.message : original.value?.stringValue;
    if (got !== want) console.log(original.name, '|', original.expr, '|', want, '|', got);
  }
}
