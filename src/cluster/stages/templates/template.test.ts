import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../api/object.ts';
import { SeededRandom } from '../../../base/seeded-random.ts';
import { Budget, BudgetError } from '../budget.ts';
import { stageFunctions } from '../stage-functions.ts';
import { TemplateError, TemplateSyntaxError } from './error.ts';
import { compileTemplate } from './template.ts';

const POD: Json = {
  metadata: { name: 'web', annotations: { delay: '5' }, labels: {} },
  spec: { replicas: 3, ratio: 1.5, nothing: null, containers: [{ name: 'a', ports: [80, 443] }, { name: 'b' }] },
};

const FUNCTIONS = stageFunctions({
  nowMs: Date.UTC(2026, 0, 1, 0, 0, 0, 250),
  startedMs: Date.UTC(2026, 0, 1),
  nodeName: 'node-1',
  nodeAddress: (name) => (name === 'node-1' ? '10.199.0.1' : ''),
  podAddress: (name) => (name === 'node-1' ? '10.200.0.2' : ''),
});

function rendered(source: string, steps = 20_000): string {
  const template = compileTemplate(source, new Set(Object.keys(FUNCTIONS)));
  return template.render(POD, { budget: new Budget(steps), random: new SeededRandom(1), functions: FUNCTIONS });
}

/** Templates, each with its text. */
function check(expected: Readonly<Record<string, string>>): void {
  for (const [source, text] of Object.entries(expected)) assert.equal(rendered(source), text, source);
}

test('an action of a Go template prints a value as Go does', () => {
  check({
    '{{ .metadata.name }} {{ .spec.replicas }} {{ .spec.ratio }} {{ true }}': 'web 3 1.5 true',
    '{{ .spec.missing }}|{{ .spec.missing.deeper }}|{{ .spec.nothing }}': '<no value>|<no value>|<no value>',
    '{{ .spec.containers }}': '[map[name:a ports:[80 443]] map[name:b]]',
    '{{ (index .spec.containers 0).name }} {{ index .metadata.annotations "delay" }}': 'a 5',
    'a   {{- "b" -}}   c {{/* a comment */}}d': 'abc d',
    '{{ "a\\tb" }}{{ `"raw"` }} {{ 0x1F }} {{ 1_000 }} {{ -5 }}': 'a\tb"raw" 31 1000 -5',
  });
  assert.throws(() => rendered('{{ .metadata.name.x }}'), new TemplateError("can't evaluate field x in type string"));
  assert.throws(() => rendered('{{ index .spec.containers 5 }}'), /error calling index: index out of range: 5/);
});

test('a Go template has conditions, loops and variables', () => {
  check({
    '{{ if .metadata.labels }}a{{ else if .spec.replicas }}b{{ else }}c{{ end }}': 'b',
    '{{ with .spec.missing }}a{{ else with .metadata }}{{ .name }}{{ end }}': 'web',
    '{{ range $i, $c := .spec.containers }}{{ $i }}={{ $c.name }};{{ end }}': '0=a;1=b;',
    '{{ range .spec.missing }}{{ . }}{{ else }}none{{ end }}': 'none',
    '{{ range $key, $value := .metadata.annotations }}{{ $key }}:{{ $value }}{{ end }}': 'delay:5',
    '{{ range 4 }}{{ if eq . 1 }}{{ continue }}{{ end }}{{ if eq . 3 }}{{ break }}{{ end }}{{ . }}{{ end }}': '02',
    '{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}': '2',
    '{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ end }}{{ $x }}': '1',
    '{{ define "pair" }}<{{ . }}>{{ end }}{{ with .spec }}{{ template "pair" $.metadata.name }}{{ end }}': '<web>',
  });
});

test('functions of Go templates compare, combine and format', () => {
  check({
    '{{ eq .metadata.name "a" "web" }} {{ ne 1 2 }} {{ lt 1 2 }} {{ ge "a" "b" }}': 'true true true false',
    '{{ eq .spec.missing "Always" }}': 'false',
    '{{ or .spec.missing false }} {{ and 1 "x" }} {{ or "" "x" }} {{ not 0 }}': 'false x x true',
    '{{ len .spec.containers }} {{ len "é" }}': '2 2',
    '{{ printf "%s-%03d %q %v %5.1f|%-3s|" "a" 7 "q" .spec.replicas 1.5 "l" }}': 'a-007 "q" 3   1.5|l  |',
    '{{ printf "%d" "a" }} {{ printf "%s" }}': '%!d(string=a) %!s(MISSING)',
    '{{ print "a" 1 2 "b" }}': 'a1 2b',
    '{{ "a" | printf "%s-%s" "b" }}': 'b-a',
  });
  // A number of the data is a text in Go.
  assert.throws(() => rendered('{{ eq .spec.replicas 3 }}'), /incompatible types for comparison/);
});

test('Go templates have the functions of sprig', () => {
  check({
    '{{ default "d" .spec.missing }} {{ .spec.replicas | default 7 }} {{ coalesce 0 "" "x" }}': 'd 3 x',
    '{{ add .spec.replicas 1 "5" }} {{ sub 5 3 }} {{ mul 2 3 }} {{ div -7 2 }} {{ mod 7 3 }} {{ max 1 5 }}':
      '9 2 6 -3 1 5',
    '{{ round 1.2345 2 }} {{ addf 0.1 0.2 }} {{ int "7" }} {{ until 3 }} {{ seq 3 1 }}': '1.23 0.3 7 [0 1 2] 3 2 1',
    '{{ upper "a" }} {{ trunc 2 "abc" }} {{ "a b" | replace " " "-" }} {{ join "," (list "a" 1) }}': 'A ab a-b a,1',
    '{{ quote "a" 1 }} {{ nindent 2 "a\\nb" }}': '"a" "1" \n  a\n  b',
    '{{ contains "b" "abc" }} {{ regexMatch "^w.*" .metadata.name }} {{ regexReplaceAll "(a)(b)" "ab" "${2}$1" }}':
      'true true ba',
    '{{ dict "a" 1 "b" (list 1 2) | toJson }} {{ hasKey (dict "a" 1) "a" }} {{ get (dict) "a" }}|':
      '{"a":1,"b":[1,2]} true |',
    '{{ $d := dict }}{{ $_ := set $d "constructor" 1 }}{{ $d }} {{ keys $d }}': 'map[constructor:1] [constructor]',
    '{{ ternary "a" "b" true }} {{ kindOf .spec }} {{ b64enc "hello" }} {{ has 2 (list 1 2) }}': 'a map aGVsbG8= true',
    '{{ merge (dict "a" 1 "n" (dict "x" 1)) (dict "a" 2 "n" (dict "y" 2)) }}': 'map[a:1 n:map[x:1 y:2]]',
  });
  assert.throws(() => rendered('{{ fail "no" }}'), new TemplateError('error calling fail: no'));
  assert.throws(() => rendered('{{ div 1 0 }}'), new TemplateError('error calling div: division by zero'));
});

test('Go templates have the functions of KWOK', () => {
  check({
    '{{ Now }} {{ StartTime | Quote }}': '2026-01-01T00:00:00.25Z "2026-01-01T00:00:00Z"',
    '{{ "a\\"b" | Quote }} {{ .spec.replicas | Quote }} {{ .metadata.annotations | Quote }}':
      '"a\\"b" "3" "{\\"delay\\":\\"5\\"}"',
    'ports:{{ YAML (index .spec.containers 0).ports 1 }}': 'ports:\n  - 80\n  - 443\n  ',
    '{{ NodeName }} {{ NodeIP }} {{ NodePort }} {{ NodeIPWith "other" | Quote }}': 'node-1 10.199.0.1 10250 ""',
    '{{ PodIPWith "node-1" false "" "" "" }} {{ PodIPWith "node-1" true "" "" "" }}': '10.200.0.2 10.199.0.1',
    '{{ range NodeConditions }}{{ .type }}={{ .status }} {{ end }}':
      'Ready=True MemoryPressure=False DiskPressure=False PIDPressure=False NetworkUnavailable=False ',
  });
});

test('a template that cannot be read is an error that tells the line', () => {
  const faults = {
    'a\n{{ unknown }}': 'line 2: function "unknown" not defined',
    '{{ $x }}': 'line 1: undefined variable "$x"',
    '{{ if true }}': 'line 1: unexpected EOF',
    '{{ end }}': 'line 1: unexpected {{end}}',
    '{{ .a b }}': 'line 1: function "b" not defined',
    '{{ .a .b }}': 'line 1: what is not a function cannot have arguments',
    '{{ "a': 'line 1: unterminated quoted string',
    '{{ break }}': 'line 1: {{break}} outside {{range}}',
  };
  for (const [source, message] of Object.entries(faults)) {
    assert.throws(() => compileTemplate(source, new Set()), new TemplateSyntaxError(message), source);
  }
});

test('a template never takes more steps than it may', () => {
  const endless = [
    '{{ range 1000000 }}{{ . }}{{ end }}',
    '{{ until 1000000000 }}',
    '{{ repeat 1000000000 "ab" }}',
    '{{ $x := list 1 }}{{ range 60 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}',
    '{{ $x := "a" }}{{ range 60 }}{{ $x = cat $x $x }}{{ end }}{{ $x }}',
    `{{ regexMatch "(a*)*b" (repeat 100000 "a") }}`,
  ];
  for (const source of endless) assert.throws(() => rendered(source), BudgetError, source);
  const deep = '{{ $x := list 1 }}{{ range 2000 }}{{ $x = list $x }}{{ end }}{{ toJson $x }}';
  assert.throws(() => rendered(deep), /nested too deeply/);
  const calls = '{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}';
  assert.throws(() => rendered(calls), /maximum template depth/);
  assert.throws(() => compileTemplate('{{ if 1 }}'.repeat(1_000), new Set()), /nested too deeply/);
  const own = '{{ $d := dict }}{{ $_ := set $d "a" (list $d) }}';
  assert.throws(() => rendered(own), new TemplateError('error calling set: a map cannot contain itself'));
});
