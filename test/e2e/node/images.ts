// The images that conformance tests run, made on this machine from Debian's packages and from programs built from
// Kubernetes' Go modules. They have the names of the originals, so that nothing is pulled.

import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtProgram, imagesArchive, moduleFolder, programPath } from '../programs.ts';
import { httpd, makeDebianRoot, nginx } from './debian-root.ts';
import { type Blob, ImageLayout } from './image-layout.ts';

const registry = 'registry.k8s.io';
const named = (...names: readonly string[]) => names.map((name) => `${registry}/e2e-test-images/${name}`);
const agnhostEntrypoint = ['/agnhost'];

/** Makes all images and writes them to the archive that a node imports. */
export async function buildImages(): Promise<void> {
  using layout = new ImageLayout();
  using layers = new Layers(layout);
  const debian = await layers.addDebian();
  const agnhost = await layers.add(agnhostFiles(), (root) => {
    symlinkSync('agnhost', join(root, 'agnhost-2'));
    mkdirSync(join(root, 'uploads'));
  });
  const setuid = (root: string) => chmodSync(join(root, 'usr/local/bin/nnp'), 0o6755);
  const nnp = await layers.add({ 'usr/local/bin/nnp': builtProgram('nonewprivs') }, setuid);
  const etcd = await layers.add({ 'usr/local/bin/etcd': programPath('etcd') });

  const onAgnhost = { layers: [debian, agnhost], entrypoint: agnhostEntrypoint, command: ['pause'] };
  layout.add({ names: named('agnhost:2.56', 'jessie-dnsutils:1.7'), ...onAgnhost });
  layout.add({ names: named('busybox:1.36.1-1', 'busybox:1.37.0-1'), layers: [debian], command: ['sh'] });
  layout.add({ names: named('httpd:2.4.38-4', 'httpd:2.4.39-4'), layers: [debian], entrypoint: httpd });
  layout.add({ names: named('nginx:1.14-4', 'nginx:1.15-4'), layers: [debian], entrypoint: nginx });
  layout.add({ names: named('nonewprivs:1.3'), layers: [debian, nnp], command: ['nnp'] });
  layout.add({ names: [`${registry}/etcd:3.6.4-0`], layers: [debian, etcd] });
  for (const name of ['kitten', 'nautilus']) {
    const demo = await layers.add(demoFiles(name));
    layout.add({
      ...{ names: named(`${name}:1.7`), layers: [debian, agnhost, demo] },
      ...{ entrypoint: agnhostEntrypoint, command: ['test-webserver'] },
    });
  }
  for (const [name, program] of [
    ['pause:3.10.1', 'pause'],
    ['coredns/coredns:v1.12.1', 'coredns'],
    ['e2e-test-images/sample-apiserver:1.29.2', 'sample-apiserver'],
  ] as const) {
    const alone = await layers.add({ [program]: builtProgram(program) });
    layout.add({ names: [`${registry}/${name}`], layers: [alone], entrypoint: [`/${program}`] });
  }
  layout.write(imagesArchive);
}

function sourcesOf(image: string): string {
  return join(moduleFolder(), 'test/images', image);
}

function agnhostFiles(): Record<string, string> {
  const keys = ['localhost.crt', 'localhost.key'].map((name) => [name, join(sourcesOf('agnhost'), 'porter', name)]);
  return { agnhost: builtProgram('agnhost'), ...Object.fromEntries(keys) };
}

function demoFiles(name: string): Record<string, string> {
  return Object.fromEntries(
    [`${name}.jpg`, 'data.json'].map((file) => [file, join(sourcesOf(name), 'html', file)] as const),
  );
}

/** Adds layers from folders that exist while images are made. */
class Layers implements Disposable {
  readonly #work = mkdtempSync(join(tmpdir(), 'keelson-layers-'));
  readonly #layout: ImageLayout;

  constructor(layout: ImageLayout) {
    this.#layout = layout;
  }

  addDebian(): Promise<Blob> {
    const root = this.#make();
    makeDebianRoot(root, this.#make());
    return this.#layout.addLayer(root);
  }

  /** @param sources files by their paths in the layer @param finish changes its folder */
  add(sources: Readonly<Record<string, string>>, finish?: (root: string) => void): Promise<Blob> {
    const root = this.#make();
    for (const [path, source] of Object.entries(sources)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      copyFileSync(source, join(root, path));
    }
    finish?.(root);
    return this.#layout.addLayer(root);
  }

  [Symbol.dispose](): void {
    rmSync(this.#work, { recursive: true });
  }

  /** Anybody may enter a layer's root. */
  #make(): string {
    const folder = mkdtempSync(join(this.#work, 'layer-'));
    chmodSync(folder, 0o755);
    return folder;
  }
}
