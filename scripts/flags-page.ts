// Writes docs/flags.md: the flags of `keelson serve`, and those of kube-apiserver that are accepted without effect.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptedFlags } from '../src/cli/flags/accepted.ts';
import { flagTypes } from '../src/cli/flags/flag.ts';
import { serveFlags } from '../src/cli/flags/sections.ts';

const PAGE = 'docs/flags.md';

/** The page's text. */
export function flagsPage(): string {
  const served = serveFlags.map(
    ({ name, type, help }) => `| \`--${name}\` | ${flagTypes[type].label || 'bool'} | ${help} |`,
  );
  const accepted = acceptedFlags.map(
    ({ name, type, why }) => `| \`--${name}\` | ${flagTypes[type].label || 'bool'} | ${why} |`,
  );
  return `# Flags

The flags of \`keelson serve\`; names, types and syntax are kube-apiserver's. \`keelson serve --help\` has them by section,
with their defaults. Any other flag ends the start: \`unknown flag\`. Written by \`scripts/flags-page.ts\`.

## Other places

What the command line does not say, the environment may: \`KEELSON_SECURE_PORT\` is \`--secure-port\`, and so with every
flag. What neither says, a YAML file may, which \`--config\` or \`KEELSON_CONFIG\` names:

    secure-port: 8443
    service-account-issuer: [https://a.example, https://b.example]
    feature-gates:
      WatchList: true

A list gives a flag several times, and so does a map, as \`name=value\`. A flag is taken whole from the first of these
places that has it: lists of several places are not joined. What there is no flag for ends the start, with the file's and
the field's name; a variable that begins with \`KEELSON_\` and names no flag is told of in a warning. Paths are relative
to the folder that the server is started in, wherever they are written.

## Served

| flag | type | what it does |
|---|---|---|
${served.sort().join('\n')}

## Accepted without effect

So that command lines made for kube-apiserver start Keelson. Values are checked by type; a warning in the log says why
nothing comes of them.

| flag | type | why it has no effect |
|---|---|---|
${accepted.join('\n')}
`;
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', PAGE), flagsPage());
