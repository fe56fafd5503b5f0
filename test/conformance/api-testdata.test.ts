// The serialized objects in Kubernetes' Go modules: for each kind a value in JSON, YAML and protobuf in which every field
// is set, as the release wrote it and as releases before it did. They are read and written again by the codecs here,
// byte for byte, also by way of CBOR. The files are not part of the project: the test is skipped without Go's module cache.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseCbor } from '../../src/api/cbor-reader.ts';
import { CborWriter } from '../../src/api/cbor-writer.ts';
import { parseJson } from '../../src/api/json-reader.ts';
import { escapeHtml, stringifyJson } from '../../src/api/json-writer.ts';
import type { Json, JsonObject } from '../../src/api/object.ts';
import { type Envelope, readEnvelope } from '../../src/api/protobuf-envelope.ts';
import { parseYaml } from '../../src/api/yaml-reader.ts';
import { stringifyYaml } from '../../src/api/yaml-writer.ts';
import { anyProtobufType, protobufBytes } from '../../src/http/response/protobuf-bytes.ts';
import { CURRENT_MINOR, NEWEST_MINOR, RELEASES } from '../../src/lifecycle/version.ts';
import { encodeCbor } from '../../src/schema/cbor-encode.ts';
import { decodeObject } from '../../src/schema/decode.ts';
import type { StructNode } from '../../src/schema/node.ts';
import { decodeProtobuf } from '../../src/schema/protobuf-decode.ts';
import { readTextIfThere } from '../../src/server/files.ts';

const CACHE = join(
  process.env['GOMODCACHE'] ?? join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'pkg/mod'),
  'k8s.io',
);

/** Kinds that are never bodies in protobuf: options are parts of URLs, and this review is JSON. */
const ELSEWHERE = [/^core\.v1\.(\w+Options|WatchEvent)$/, /^imagepolicy\./, /^batch\.\w+\.JobTemplate$/];

/** Kinds that are not served: see docs/compatibility.md. */
const UNSERVED = [
  /^admission\.k8s\.io\.v1beta1\./,
  /^apidiscovery\.k8s\.io\.v2beta1\./,
  /\.v[12]alpha\d\./,
  /\.v1beta1\.PodSecurityPolicy$/,
  /^core\.v1\.EphemeralContainers$/,
];

/** Releases of which the files that older releases wrote are read, too. */
const WITH_OLDER = [CURRENT_MINOR, NEWEST_MINOR];

/** The files of one release. */
function filesOf(minor: number): string[] {
  const modules = `{api,apiextensions-apiserver}@v0.${minor}.*/{testdata,pkg/apis/testdata}`;
  const files = globSync(`${modules}/${WITH_OLDER.includes(minor) ? '*' : 'HEAD'}/*.pb`, { cwd: CACHE });
  return files.filter((file) => !file.includes('.after_roundtrip.')).map((file) => join(CACHE, file));
}

const releases = RELEASES.map(({ minor }) => ({ minor, files: filesOf(minor) })).filter(
  ({ files }) => files.length > 0,
);

if (releases.length === 0) {
  test('stored objects of Kubernetes', { skip: 'there is no k8s.io/api in Go’s module cache' }, () => {});
}

for (const { minor, files } of releases) {
  const older = WITH_OLDER.includes(minor) ? ' and before' : '';
  test(`stored objects of Kubernetes 1.${minor}${older} are read and written unchanged`, async () => {
    let known = 0;
    for (const file of files) {
      const envelope = readEnvelope(readFileSync(file));
      const type = await anyProtobufType(envelope, minor);
      const name = basename(file, '.pb');
      if (type === undefined) {
        assert.ok(
          [...ELSEWHERE, ...UNSERVED].some((each) => each.test(name)),
          `${file} is of an unknown kind`,
        );
        continue;
      }
      known++;
      await comparedWith(join(dirname(file), name), envelope, type);
    }
    assert.ok(known > files.length / 2, `only ${known} of ${files.length} kinds are known`);
  });
}

/** @param path of a kind's files, without their endings */
async function comparedWith(path: string, envelope: Envelope, type: StructNode): Promise<void> {
  const text = (ending: string) => readFileSync(path + ending, 'utf8');
  // What a newer release makes of an older file is in a file of its own, if it differs.
  const after = (ending: string) => readTextIfThere(`${path}.after_roundtrip${ending}`) ?? text(ending);
  const binary = readFileSync(globSync(`${path}.{after_roundtrip.pb,pb}`).toSorted()[0]!);
  const { kind, apiVersion, raw } = envelope;
  const decoded = (value: Json) => ({ kind, apiVersion, ...decodeObject(type, value).value });
  const forms = {
    protobuf: { kind, apiVersion, ...decodeProtobuf(type, raw) },
    json: decoded(parseJson(text('.json'))),
    yaml: decoded((await parseYaml(text('.yaml'))).value),
    // Kubernetes keeps no files in CBOR.
    cbor: decoded(parseCbor(cborOf(decoded(parseJson(text('.json'))), type))),
  };
  for (const [form, value] of Object.entries(forms)) {
    const from = `${path}, from ${form}`;
    assert.ok(protobufBytes(value, type).equals(binary), `${from} to protobuf`);
    assert.equal(escapeHtml(stringifyJson(value, { pretty: true })).trim(), after('.json').trim(), `${from} to JSON`);
    assert.equal(stringifyYaml(value).trim(), after('.yaml').trim(), `${from} to YAML`);
  }
}

function cborOf(value: JsonObject, type: StructNode): Buffer {
  const out = new CborWriter();
  out.selfDescribed();
  encodeCbor(type, value, out);
  return Buffer.from(out.view());
}
