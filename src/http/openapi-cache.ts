// The bytes of the OpenAPI documents: each is made when it is first asked for and kept until what it says changes. Its
// hash is known before: it is taken of the facts that the document is made of, so that the index costs no document.

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { RemoteOpenApi } from '../aggregator/remote-openapi.ts';
import { stringifyJson } from '../api/json-writer.ts';
import type { JsonObject } from '../api/object.ts';
import type { ShortTurns, Turn } from '../base/short-turns.ts';
import { inTurns } from '../base/steps.ts';
import type { Catalog, CatalogEntry } from '../resources/catalog.ts';
import type { OpenApiDocument } from '../resources/openapi/documents.ts';
import type { PublishedApi } from '../resources/openapi/rendering.ts';
import type { TypeDescriptions } from '../resources/openapi/type-descriptions.ts';
import { gzipWhole } from './gzip.ts';
import { longJsonBytes } from './openapi-json.ts';

/** Some bytes to answer with, and the same compressed. Both are made once. */
export class CachedBytes {
  readonly #make: () => Promise<Uint8Array> | Uint8Array;
  #plain: Promise<Buffer> | undefined;
  #packed: Promise<Buffer> | undefined;

  constructor(make: () => Promise<Uint8Array> | Uint8Array) {
    this.#make = make;
  }

  plain(): Promise<Buffer> {
    this.#plain ??= this.#made();
    return this.#plain;
  }

  gzip(): Promise<Buffer> {
    this.#packed ??= this.plain().then((bytes) => gzipWhole(bytes));
    return this.#packed;
  }

  async #made(): Promise<Buffer> {
    const bytes = await this.#make();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** A document of version 3. */
interface GroupVersionDocument {
  readonly hash: string;
  readonly json: CachedBytes;
}

/** The one document of version 2. */
interface WholeDocument extends GroupVersionDocument {
  readonly protobuf: CachedBytes;
}

interface State {
  readonly generation: number;
  readonly remoteGeneration: number;
  readonly documents: ReadonlyMap<string, GroupVersionDocument>;
  readonly whole: WholeDocument;
}

type Modules = Awaited<ReturnType<typeof loadModules>>;

/** Loaded with the first document, not at the start of the server; one by one, so that others have their turn. */
async function loadModules(turn: Turn) {
  const documents = await import('../resources/openapi/documents.ts');
  await turn.over();
  const v2 = await import('../resources/openapi/document-v2.ts');
  await turn.over();
  const v2Protobuf = await import('../resources/openapi/document-v2-protobuf.ts');
  await turn.over();
  const v3 = await import('../resources/openapi/document-v3.ts');
  await turn.over();
  const descriptions = await import('../resources/openapi/type-descriptions.ts');
  const merge = await import('../aggregator/merge-openapi-v2.ts');
  await turn.over();
  return { ...documents, ...v2, ...v2Protobuf, ...v3, ...descriptions, ...merge };
}

interface OpenApiFacts {
  /** The version that documents name: `1.34`. */
  readonly apiVersion: string;
  /** Changes when the program does. */
  readonly program: string;
  /** Whether the server reads and writes CBOR. */
  readonly cbor?: boolean;
  /** Whether documents tell the values that fields of built-in types may have; they do unless this says no. */
  readonly enums?: boolean;
  /** Finds the prose of documents; undefined where there is none. Asked once, with the first document. */
  /** What other servers have; undefined where there are none. */
  readonly remote?: RemoteOpenApi;
  /** What documents are made in, so that others have their turn meanwhile. */
  readonly turns?: Pick<ShortTurns, 'begin'>;
  readonly descriptions?: () => Promise<TypeDescriptions | undefined>;
}

export class OpenApiCache {
  readonly #catalog: Catalog;
  readonly #published: PublishedApi;
  /** What the program itself puts into every document. */
  readonly #program: string;
  readonly #cbor: boolean;
  readonly #remote: RemoteOpenApi | undefined;
  readonly #findDescriptions: () => Promise<TypeDescriptions | undefined>;
  #descriptions: TypeDescriptions | undefined;
  readonly #entryHashes = new WeakMap<CatalogEntry, string>();
  #modules: Promise<Modules> | undefined;
  #state: State | undefined;
  #making: Promise<State> | undefined;
  readonly #turns: Pick<ShortTurns, 'begin'> | undefined;

  constructor(catalog: Catalog, facts: OpenApiFacts) {
    const { apiVersion, program, cbor = false, enums = true, descriptions, remote, turns } = facts;
    this.#catalog = catalog;
    this.#published = { version: apiVersion, enums };
    this.#program = `${program}${cbor ? ' cbor' : ''}${enums ? '' : ' without enums'}`;
    this.#cbor = cbor;
    this.#remote = remote;
    this.#turns = turns;
    this.#findDescriptions = descriptions ?? (async () => undefined);
  }

  /** The documents of version 3 by their keys (`apis/apps/v1`). */
  async documents(): Promise<ReadonlyMap<string, GroupVersionDocument>> {
    return (await this.#current()).documents;
  }

  async whole(): Promise<WholeDocument> {
    return (await this.#current()).whole;
  }

  async #current(): Promise<State> {
    this.#modules ??= this.#load();
    const modules = await this.#modules;
    const { generation } = this.#catalog;
    const isCurrent = (state: State | undefined) =>
      state?.generation === generation && state.remoteGeneration === this.#remoteGeneration;
    // What is under way may be about an older catalog; what begins after it is not.
    if (!isCurrent(this.#state) && this.#making !== undefined) await this.#making;
    if (this.#state !== undefined && isCurrent(this.#state)) return this.#state;
    this.#making ??= this.#next(modules).finally(() => {
      this.#making = undefined;
    });
    this.#state = await this.#making;
    return this.#state;
  }

  get #remoteGeneration(): number {
    return this.#remote?.generation ?? 0;
  }

  async #load(): Promise<Modules> {
    this.#descriptions = await this.#findDescriptions();
    const turn = this.#turn('modules of OpenAPI');
    return loadModules(turn);
  }

  /** The documents of the catalog as it is now; those that say the same as before are kept. */
  async #next(modules: Modules): Promise<State> {
    const { generation } = this.#catalog;
    const remoteGeneration = this.#remoteGeneration;
    const turn = this.#turn('index of OpenAPI documents');
    const described = modules.openapiDocuments(this.#catalog, this.#cbor);
    const documents = new Map<string, GroupVersionDocument>();
    for (const document of described) {
      const hash = await this.#hashOf(document, modules, turn);
      const known = this.#state?.documents.get(document.key);
      const json = async () => {
        const making = this.#turn(`OpenAPI ${document.key}`);
        const made = await inTurns(modules.openapiV3(document, this.#published), making);
        return longJsonBytes(await this.#described(modules, made, making), making);
      };
      documents.set(document.key, known?.hash === hash ? known : { hash, json: new CachedBytes(json) });
    }
    const others = this.#remote?.wholes() ?? [];
    const hash = digest([
      ...[...documents].map(([key, document]) => `${key} ${document.hash}`),
      ...others.map((other) => `${other.name} ${other.hash}`),
    ]);
    const known = this.#state?.whole;
    const whole = known?.hash === hash ? known : { hash, ...this.#wholeBytes(described, others, modules) };
    return { generation, remoteGeneration, documents, whole };
  }

  #wholeBytes(
    described: readonly OpenApiDocument[],
    others: readonly { readonly document: JsonObject }[],
    modules: Modules,
  ) {
    const make = async () => {
      const turn = this.#turn('OpenAPI v2');
      const writer = new modules.OpenApiV2Writer(this.#published);
      for (const document of described) {
        await inTurns(writer.adding(document), turn);
      }
      const whole = await this.#described(modules, await inTurns(writer.finishing(), turn), turn);
      for (const { document } of others) {
        await inTurns(modules.mergingOpenApiV2(whole, document), turn);
      }
      return whole;
    };
    const json = new CachedBytes(async () => longJsonBytes(await make(), this.#turn('OpenAPI v2 as JSON')));
    const protobuf = new CachedBytes(async () =>
      modules.openapiV2Protobuf(await make(), this.#turn('OpenAPI v2 as protobuf')),
    );
    return { json, protobuf };
  }

  async #described(modules: Modules, document: JsonObject, turn: Turn): Promise<JsonObject> {
    if (this.#descriptions !== undefined) await inTurns(modules.describingTypes(document, this.#descriptions), turn);
    return document;
  }

  #turn(taskName: string): Turn {
    return this.#turns?.begin({ taskName }) ?? { over: () => undefined };
  }

  async #hashOf(document: OpenApiDocument, modules: Modules, turn: Turn): Promise<string> {
    const facts: string[] = [];
    for (const entry of document.entries) {
      let hash = this.#entryHashes.get(entry);
      if (hash === undefined) {
        hash = digest([stringifyJson(modules.publishedFacts(entry))]);
        this.#entryHashes.set(entry, hash);
        const wait = turn.over();
        if (wait !== undefined) await wait;
      }
      facts.push(hash);
    }
    return digest([this.#program, this.#descriptions?.version ?? '', document.key, ...facts]);
  }
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').toUpperCase();
}
