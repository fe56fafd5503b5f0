// The root folder that most images share: Debian's packages with the programs that tests call by name, and busybox's
// programs for the rest.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const packages = [
  ...['apache2-bin', 'bash', 'bind9-dnsutils', 'busybox-static', 'coreutils', 'curl', 'hostname', 'iproute2'],
  ...['libc-bin', 'netcat-openbsd', 'nginx'],
];
/** Of the packages that those need, the ones with libraries; the others configure a system. */
const libraries = /^(bind9-|lib(?!perl|nginx|mariadb|newt|slang)|zlib)/;
const unneeded = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'];

const httpdModules = ['mpm_event', 'authz_core', 'dir', 'mime'];
const page = '<html><body><h1>It works!</h1></body></html>';

const files: Readonly<Record<string, readonly string[]>> = {
  'etc/passwd': [
    ...['root:x:0:0::/root:/bin/sh', 'www-data:x:33:33::/:/bin/sh'],
    'user-defined-in-image:x:1000:1000::/:/bin/sh',
  ],
  'etc/group': [
    ...['root:x:0:', 'www-data:x:33:', 'user-defined-in-image:x:1000:'],
    'group-defined-in-image:x:50000:user-defined-in-image',
  ],
  'etc/nsswitch.conf': ['passwd: files', 'group: files', 'hosts: files dns'],
  'etc/httpd.conf': [
    ...httpdModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    ...['ServerRoot /etc', 'ServerName localhost', 'Listen 80', 'User #33', 'Group #33', 'PidFile /run/httpd.pid'],
    ...['DocumentRoot /usr/local/apache2/htdocs', 'DirectoryIndex index.html', 'ErrorLog /dev/stderr'],
    ...['TypesConfig /dev/null', 'AddType text/html .html'],
  ],
  'etc/nginx.conf': [
    ...['daemon off;', 'user www-data;', 'pid /run/nginx.pid;', 'error_log stderr;', 'events {}'],
    'http { access_log off; default_type text/html; server { listen 80; root /usr/share/nginx/html; } }',
  ],
  'usr/local/apache2/htdocs/index.html': [page],
  'usr/share/nginx/html/index.html': [page],
};
const folders = ['root', 'run', 'tmp', 'var/lib/nginx', 'var/log/nginx'];

/** The web servers' commands, with their configurations. */
export const httpd = ['/usr/sbin/apache2', '-D', 'FOREGROUND', '-f', '/etc/httpd.conf'];
export const nginx = ['/usr/sbin/nginx', '-c', '/etc/nginx.conf'];

/** Fills a folder. @param downloads another empty one */
export function makeDebianRoot(root: string, downloads: string): void {
  const depends = ['depends', '--recurse', ...unneeded.map((kind) => `--no-${kind}`), ...packages];
  const listed = execFileSync('apt-cache', depends, { encoding: 'utf8' });
  const needed = listed.match(/^[a-z0-9][^:\s]*$/gm)!.filter((name) => libraries.test(name));
  const wanted = new Set([...packages, ...needed]);
  execFileSync('apt-get', ['download', '-q', ...wanted], { cwd: downloads, stdio: 'ignore' });
  const left = ['doc', 'man', 'locale', 'info'].map((name) => `--exclude=./usr/share/${name}`);
  for (const name of readdirSync(downloads)) {
    const content = execFileSync('dpkg-deb', ['--fsys-tarfile', join(downloads, name)], { maxBuffer: 1 << 28 });
    execFileSync('tar', ['-x', '-C', root, ...left], { input: content });
  }
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), lines.map((line) => `${line}\n`).join(''));
  }
  symlinkSync('nc.openbsd', join(root, 'bin/nc'));
  // Debian's busybox as a shell prefers its own programs to all others, and drops variables with dashes in their names.
  symlinkSync('bash', join(root, 'bin/sh'));
  addApplets(root);
}

/** Links busybox's programs where there is none with that name. */
function addApplets(root: string): void {
  const names = execFileSync(join(root, 'bin/busybox'), ['--list'], { encoding: 'utf8' }).trim().split('\n');
  const places = ['bin', 'sbin', 'usr/bin', 'usr/sbin'].map((folder) => join(root, folder)).filter(existsSync);
  const there = new Set(places.flatMap((place) => readdirSync(place)));
  for (const name of names) if (!there.has(name)) symlinkSync('busybox', join(root, 'bin', name));
}
