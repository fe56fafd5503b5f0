import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { parse } from 'yaml';
import { ManualClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { type Certificates, loadCertificates, makeCertificates, servingHosts, writeAdminKubeconfig } from './pki.ts';

const DAY_MS = 86_400_000;
const HOSTS = servingHosts('192.168.7.7', '10.0.0.1');

let folder: string;
let clock: ManualClock;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pki-'));
  clock = new ManualClock();
});

afterEach(() => rm(folder, { recursive: true }));

function load(hosts: readonly string[] = HOSTS): Certificates {
  return loadCertificates({ folder: join(folder, 'pki'), hosts, clock, log: silentLog });
}

/** Which of the certificates differ. */
function changed(before: Certificates, after: Certificates): string[] {
  return (['caCertPem', 'servingCertPem', 'adminCertPem'] as const).filter((name) => before[name] !== after[name]);
}

test('the serving certificate names this machine, the kubernetes Service and the bind address', () => {
  assert.deepEqual(servingHosts('0.0.0.0', '10.0.0.1', ['example.com', 'localhost']), [
    'localhost',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    'example.com',
  ]);
  assert.ok(HOSTS.includes('192.168.7.7'));
});

test('certificates in memory belong to one CA', async () => {
  const made = makeCertificates({ clock, hosts: HOSTS });
  const ca = new X509Certificate(made.caCertPem);
  const serving = new X509Certificate(made.servingCertPem);
  const admin = new X509Certificate(made.adminCertPem);
  assert.ok(serving.verify(ca.publicKey) && admin.verify(ca.publicKey));
  assert.ok(serving.checkIP('192.168.7.7') && serving.checkHost('kubernetes.default.svc'));
  assert.equal(admin.subject, 'O=system:masters\nCN=kubernetes-admin');
  assert.ok(serving.validFromDate.getTime() < clock.now(), 'valid for slow clocks too');
});

test('the first start creates certificate files, with keys for their owner only, and later starts use them', async () => {
  const first = load();
  const names = ['admin.crt', 'admin.key', 'ca.crt', 'ca.key', 'serving.crt', 'serving.key'];
  assert.deepEqual((await readdir(join(folder, 'pki'))).sort(), names);
  for (const name of names) {
    const { mode } = await stat(join(folder, 'pki', name));
    assert.equal(mode & 0o777, name.endsWith('.key') ? 0o600 : 0o644, name);
  }
  clock.advance(300 * DAY_MS);
  assert.deepEqual(load(), first);
});

test('certificates are renewed under the same CA within 30 days of their expiry', async () => {
  const first = load();
  clock.advance(336 * DAY_MS);
  const second = load();
  assert.deepEqual(changed(first, second), ['servingCertPem', 'adminCertPem']);
  assert.ok(new X509Certificate(second.servingCertPem).verify(new X509Certificate(first.caCertPem).publicKey));
});

test('other host names renew the serving certificate only', async () => {
  const first = load();
  const second = load([...HOSTS, 'fd00::7']);
  assert.deepEqual(changed(first, second), ['servingCertPem']);
  assert.deepEqual(changed(second, load([...HOSTS, 'fd00:0::7'])), [], 'the same address, written otherwise');
  assert.deepEqual(changed(second, load(HOSTS)), ['servingCertPem']);
});

test('a CA near its expiry is replaced, with all its certificates', async () => {
  const first = load();
  clock.advance(3640 * DAY_MS);
  assert.deepEqual(changed(first, load()), ['caCertPem', 'servingCertPem', 'adminCertPem']);
});

test('no certificate is valid longer than its CA', async () => {
  load();
  clock.advance(3500 * DAY_MS);
  const late = load();
  const end = (text: string) => new X509Certificate(text).validToDate.getTime();
  assert.equal(end(late.servingCertPem), end(late.caCertPem));
});

test('incomplete or damaged certificate files are created again', async () => {
  const first = load();
  const other = makeCertificates({ clock, hosts: HOSTS });
  await writeFile(join(folder, 'pki', 'serving.key'), other.servingKeyPem);
  await writeFile(join(folder, 'pki', 'admin.crt'), 'nonsense');
  assert.deepEqual(changed(first, load()), ['servingCertPem', 'adminCertPem']);
  const second = load();
  await writeFile(join(folder, 'pki', 'admin.crt'), other.adminCertPem);
  await writeFile(join(folder, 'pki', 'admin.key'), other.adminKeyPem);
  const third = load();
  assert.deepEqual(changed(second, third), ['adminCertPem']);
  assert.notEqual(third.adminCertPem, other.adminCertPem, 'another CA signed that');
});

test('the CA key may be absent until a certificate must be issued', async () => {
  const first = load();
  await unlink(join(folder, 'pki', 'ca.key'));
  assert.deepEqual(load(), first);
  assert.throws(() => load([...HOSTS, 'more.example.com']), /ca\.key is missing/);
  const other = makeCertificates({ clock, hosts: HOSTS });
  await writeFile(join(folder, 'pki', 'ca.key'), other.caKeyPem);
  assert.throws(() => load([...HOSTS, 'more.example.com']), /is not the key of/);
});

test('the kubeconfig of the administrator embeds its credentials and is for its owner only', async () => {
  const certificates = load();
  const path = join(folder, 'admin.kubeconfig');
  writeAdminKubeconfig(path, { server: 'https://127.0.0.1:6443', certificates });
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const config = parse(await readFile(path, 'utf8'));
  assert.equal(config['current-context'], 'keelson');
  assert.deepEqual(config.contexts[0].context, { cluster: 'keelson', user: 'kubernetes-admin' });
  assert.equal(config.clusters[0].cluster.server, 'https://127.0.0.1:6443');
  const decoded = (text: string) => Buffer.from(text, 'base64').toString();
  assert.equal(decoded(config.clusters[0].cluster['certificate-authority-data']), certificates.caCertPem);
  assert.equal(decoded(config.users[0].user['client-certificate-data']), certificates.adminCertPem);
  assert.equal(decoded(config.users[0].user['client-key-data']), certificates.adminKeyPem);

  const { ino } = await stat(path);
  writeAdminKubeconfig(path, { server: 'https://127.0.0.1:6443', certificates });
  assert.equal((await stat(path)).ino, ino, 'not written again');
  writeAdminKubeconfig(path, { server: 'https://127.0.0.1:7443', certificates });
  assert.match(await readFile(path, 'utf8'), /7443/);
});
