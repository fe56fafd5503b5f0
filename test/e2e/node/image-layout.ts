// Container images without a container builder: folders become layers of an OCI image layout, which containerd imports.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface Blob {
  readonly digest: string;
  readonly size: number;
}

export interface Image {
  /** All its names, each with registry and tag. */
  readonly names: readonly string[];
  readonly layers: readonly Blob[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
}

const mediaType = (kind: string) => `application/vnd.oci.image.${kind}`;
const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export class ImageLayout implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'keelson-images-'));
  readonly #manifests: object[] = [];

  constructor() {
    mkdirSync(join(this.#folder, 'blobs/sha256'), { recursive: true });
    writeFileSync(join(this.#folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  }

  /** Adds the content of a folder as a layer; its files will belong to root. */
  async addLayer(folder: string): Promise<Blob> {
    const archive = join(this.#folder, 'layer');
    const owners = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--mtime=@0'];
    execFileSync('tar', ['-cf', archive, ...owners, '-C', folder, '.']);
    const hash = createHash('sha256');
    await pipeline(createReadStream(archive), hash);
    const digest = hash.digest('hex');
    const { size } = statSync(archive);
    renameSync(archive, this.#pathOf(digest));
    return { digest: `sha256:${digest}`, size };
  }

  add({ names, layers, entrypoint, command }: Image): void {
    const config = this.#addJson({
      ...{ architecture: 'amd64', os: 'linux' },
      config: { Env: [path], Entrypoint: entrypoint, Cmd: command, WorkingDir: '/' },
      rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
    });
    const manifest = this.#addJson({
      ...{ schemaVersion: 2, mediaType: mediaType('manifest.v1+json') },
      config: { mediaType: mediaType('config.v1+json'), ...config },
      layers: layers.map((layer) => ({ mediaType: mediaType('layer.v1.tar'), ...layer })),
    });
    for (const name of names) {
      const annotations = { 'io.containerd.image.name': name };
      this.#manifests.push({ mediaType: mediaType('manifest.v1+json'), ...manifest, annotations });
    }
  }

  /** Writes all images to an archive. */
  write(archive: string): void {
    writeFileSync(join(this.#folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: this.#manifests }));
    execFileSync('tar', ['-cf', archive, '-C', this.#folder, '.']);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }

  #addJson(value: object): Blob {
    const text = JSON.stringify(value);
    const digest = createHash('sha256').update(text).digest('hex');
    writeFileSync(this.#pathOf(digest), text);
    return { digest: `sha256:${digest}`, size: text.length };
  }

  #pathOf(digest: string): string {
    return join(this.#folder, 'blobs/sha256', digest);
  }
}
