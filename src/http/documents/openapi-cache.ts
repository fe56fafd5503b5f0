// Cache of the encoded OpenAPI documents: each is built on first request and kept until its content changes. Its hash
// is computed from the facts that it is built from, so that the index does not need the documents.

import { createHash } from 'node:crypto';
import type { RemoteOpenApi } from '../../aggregator/remote-openapi.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { JsonObject } from '../../api/object.ts';
import type { ShortTurns, Turn } from '../../base/short-turns.ts';
import { inTurns } from '../../base/steps.ts';
import type { Catalog, CatalogEntry } from '../../resources/catalog.ts';
import type { OpenApiDocument } from '../../resources/openapi/documents.ts';
import type { PublishedApi } from '../../resources/openapi/rendering.ts';
import type { TypeDescriptions } from '../../resources/openapi/type-descriptions.ts';
import { BytePieces } from '../response/byte-pieces.ts';
import { gzipBytes } from '../response/gzip.ts';
import type { AssemblyPart, CustomPart, OpenApiAssembly } from './openapi-assembly.ts';
import { longJsonBytes, openapiV2Json } from './openapi-json.ts';

/** A response body, plain and compressed. Both are created once; after an error, the next request tries again. */
export class CachedBytes {
  readonly #make: () => Promise<BytePieces>;
  #plain: Promise<BytePieces> | undefined;
  #packed: Promise<BytePieces> | undefined;

  constructor(make: () => Promise<BytePieces>) {
    this.#make = make;
  }

  plain(): Promise<BytePieces> {
    this.#plain ??= this.#make().catch((error: unknown) => {
      this.#plain = undefined;
      throw error;
    });
    return this.#plain;
  }

  gzip(): Promise<BytePieces> {
    this.#packed ??= this.plain()
      .then(gzipBytes)
      .catch((error: unknown) => {
        this.#packed = undefined;
        throw error;
      });
    return this.#packed;
  }
}

/** An OpenAPI document: of version 3 for a group version, or the one of version 2. */
interface OpenApiBytes {
  readonly hash: string;
  /** Time of the last change, in milliseconds. */
  readonly changedMs: number;
  readonly json: CachedBytes;
  readonly protobuf: CachedBytes;
}

interface State {
  readonly generation: number;
  readonly remoteGeneration: number;
  /** Time of the last change of any document, in milliseconds. */
  readonly changedMs: number;
  readonly documents: ReadonlyMap<string, OpenApiBytes>;
  readonly whole: OpenApiBytes;
}

interface HashedDocument {
  readonly document: OpenApiDocument;
  readonly hash: string;
}

type Modules = Awaited<ReturnType<typeof loadModules>>;

/** Loaded with the first document, not at startup, and one by one, so that other requests run in between. */
async function loadModules(turn: Turn) {
  const { openapiDocuments, publishedFacts } = await import('../../resources/openapi/documents.ts');
  await turn.over();
  const { openapiV2Entries, openapiV2Frame } = await import('../../resources/openapi/document-v2.ts');
  await turn.over();
  const { openapiV2Protobuf } = await import('../../resources/openapi/document-v2-protobuf.ts');
  await turn.over();
  const { openapiV3 } = await import('../../resources/openapi/document-v3.ts');
  await turn.over();
  const { openapiV3Protobuf } = await import('../../resources/openapi/document-v3-protobuf.ts');
  await turn.over();
  const { describingTypes } = await import('../../resources/openapi/type-descriptions.ts');
  await turn.over();
  const { OpenApiAssembly } = await import('./openapi-assembly.ts');
  await turn.over();
  return {
    openapiDocuments,
    publishedFacts,
    openapiV2Entries,
    openapiV2Frame,
    openapiV2Protobuf,
    openapiV3,
    openapiV3Protobuf,
    describingTypes,
    OpenApiAssembly,
  };
}

interface OpenApiFacts {
  /** The version in documents: `1.34`. */
  readonly apiVersion: string;
  /** Changes with the program. */
  readonly program: string;
  /** The current time, in milliseconds. */
  readonly now?: () => number;
  /** Whether the server supports CBOR. */
  readonly cbor?: boolean;
  /** Whether the selectable fields of custom resources have an effect; true by default. */
  readonly fieldSelectors?: boolean;
  /** Whether documents list the enum values of built-in types; true by default. */
  readonly enums?: boolean;
  /** Documents of other servers; undefined for none. */
  readonly remote?: RemoteOpenApi;
  /** Cooperative slices for building documents, so that other requests run in between. */
  readonly turns?: Pick<ShortTurns, 'begin'>;
  /** Loads the descriptions of documents; undefined for none. Called once, for the first document. */
  readonly descriptions?: () => Promise<TypeDescriptions | undefined>;
}

export class OpenApiCache {
  readonly #catalog: Catalog;
  readonly #published: PublishedApi;
  /** Constant parts of every document. */
  readonly #program: string;
  readonly #cbor: boolean;
  readonly #fieldSelectors: boolean;
  readonly #remote: RemoteOpenApi | undefined;
  readonly #findDescriptions: () => Promise<TypeDescriptions | undefined>;
  #descriptions: TypeDescriptions | undefined;
  readonly #entryHashes = new WeakMap<CatalogEntry, string>();
  #modules: Promise<Modules> | undefined;
  #state: State | undefined;
  #making: Promise<State> | undefined;
  /** Of the v2 document, by encoding. */
  #assemblies: { readonly json: OpenApiAssembly; readonly protobuf: OpenApiAssembly } | undefined;
  readonly #turns: Pick<ShortTurns, 'begin'> | undefined;
  readonly #now: () => number;

  constructor(catalog: Catalog, facts: OpenApiFacts) {
    const {
      apiVersion,
      program,
      cbor = false,
      fieldSelectors = true,
      enums = true,
      descriptions,
      remote,
      turns,
      now = () => 0,
    } = facts;
    this.#now = now;
    this.#catalog = catalog;
    this.#published = { version: apiVersion, enums, minor: catalog.minor };
    this.#program = `${program}${cbor ? ' cbor' : ''}${enums ? '' : ' without enums'}`;
    this.#cbor = cbor;
    this.#fieldSelectors = fieldSelectors;
    this.#remote = remote;
    this.#turns = turns;
    this.#findDescriptions = descriptions ?? (async () => undefined);
  }

  /** The OpenAPI v3 documents by key (`apis/apps/v1`). */
  async documents(): Promise<ReadonlyMap<string, OpenApiBytes>> {
    return (await this.#current()).documents;
  }

  /** Time of the last change of any document, in milliseconds. */
  async changedMs(): Promise<number> {
    return (await this.#current()).changedMs;
  }

  async whole(): Promise<OpenApiBytes> {
    return (await this.#current()).whole;
  }

  async #current(): Promise<State> {
    this.#modules ??= this.#load();
    const modules = await this.#modules;
    const { generation } = this.#catalog;
    const isCurrent = (state: State | undefined) =>
      state?.generation === generation && state.remoteGeneration === this.#remoteGeneration;
    // A document in progress may be of an older catalog; one that begins later is not.
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

  /** The documents of the current catalog; unchanged ones are kept. */
  async #next(modules: Modules): Promise<State> {
    const { generation } = this.#catalog;
    const remoteGeneration = this.#remoteGeneration;
    const turn = this.#turn('index of OpenAPI documents');
    const described = modules.openapiDocuments(this.#catalog, this.#cbor);
    const documents = new Map<string, OpenApiBytes>();
    const hashed: HashedDocument[] = [];
    // Last-Modified counts seconds. Two states must not share one, or a client that has the first would be told that it
    // is current.
    const nowMs = Math.max(this.#now(), (this.#state?.changedMs ?? 0) + 1000);
    for (const document of described) {
      const hash = await this.#hashOf(document, modules, turn);
      const known = this.#state?.documents.get(document.key);
      const made = () => this.#groupVersionBytes(document, modules);
      documents.set(document.key, known?.hash === hash ? known : { hash, changedMs: nowMs, ...made() });
      hashed.push({ document, hash });
    }
    const others = this.#remote?.wholes() ?? [];
    const hash = digest([
      ...[...documents].map(([key, document]) => `${key} ${document.hash}`),
      ...others.map((other) => `${other.name} ${other.hash}`),
    ]);
    const known = this.#state?.whole;
    const made = () => this.#wholeBytes(this.#partsOf(hashed, modules), others, modules);
    const whole = known?.hash === hash ? known : { hash, changedMs: nowMs, ...made() };
    return { generation, remoteGeneration, documents, whole, changedMs: whole.changedMs };
  }

  #groupVersionBytes(document: OpenApiDocument, modules: Modules) {
    const make = async () => {
      const turn = this.#turn(`OpenAPI ${document.key}`);
      const made = await inTurns(modules.openapiV3(document, this.#published), turn);
      const { schemas = {} } = made['components'] as { readonly schemas?: Record<string, JsonObject> };
      await this.#describe(modules, Object.entries(schemas), turn);
      return made;
    };
    const json = new CachedBytes(async () => {
      const bytes = await longJsonBytes(await make(), this.#turn(`OpenAPI ${document.key} as JSON`));
      return new BytePieces([bytes]);
    });
    const protobuf = new CachedBytes(async () => {
      const bytes = await modules.openapiV3Protobuf(await make(), this.#turn(`OpenAPI ${document.key} as protobuf`));
      return new BytePieces([bytes]);
    });
    return { json, protobuf };
  }

  #wholeBytes(parts: readonly AssemblyPart[], others: readonly { readonly document: JsonObject }[], modules: Modules) {
    const frame = modules.openapiV2Frame(this.#published);
    this.#assemblies ??= {
      json: new modules.OpenApiAssembly(openapiV2Json),
      protobuf: new modules.OpenApiAssembly(modules.openapiV2Protobuf),
    };
    const { json, protobuf } = this.#assemblies;
    const bytes = (assembly: OpenApiAssembly, as: string) =>
      new CachedBytes(() => assembly.assemble({ frame, parts, others }, this.#turn(`OpenAPI v2 as ${as}`)));
    return { json: bytes(json, 'JSON'), protobuf: bytes(protobuf, 'protobuf') };
  }

  /** The parts of the v2 document: all documents of the server, and each of custom resources. */
  #partsOf(documents: readonly HashedDocument[], modules: Modules): AssemblyPart[] {
    const { enums, minor } = this.#published;
    const own = documents.filter(({ document }) => !document.custom);
    const server: AssemblyPart = {
      key: '',
      hash: digest(own.map(({ document, hash }) => `${document.key} ${hash}`)),
      describe: () => this.#serverEntries(own, modules),
    };
    const custom = documents.filter(({ document }) => document.custom);
    return [
      server,
      ...custom.map(({ document, hash }) => ({
        key: document.key,
        hash,
        describe: () => modules.openapiV2Entries([document], { of: 'custom resources', enums, minor }),
        custom: this.#customPart(document),
      })),
    ];
  }

  #customPart({ entries }: OpenApiDocument): CustomPart | undefined {
    const [first] = entries;
    if (first === undefined) return undefined;
    const { group } = first.definition;
    const { version } = first.version;
    const definitions = () => entries.flatMap((entry) => entry.version.definitionBytes?.() ?? []);
    const { minor } = this.#published;
    return { group, version, minor, cbor: this.#cbor, fieldSelectors: this.#fieldSelectors, definitions };
  }

  *#serverEntries(documents: readonly HashedDocument[], modules: Modules) {
    const { enums, minor } = this.#published;
    const described = documents.map(({ document }) => document);
    for (const entry of modules.openapiV2Entries(described, { of: 'the server', enums, minor })) {
      if (entry?.member === 'definitions' && this.#descriptions !== undefined) {
        yield* modules.describingTypes([[entry.name, entry.value]], this.#descriptions);
      }
      yield entry;
    }
  }

  async #describe(modules: Modules, schemas: Iterable<readonly [string, JsonObject]>, turn: Turn): Promise<void> {
    if (this.#descriptions !== undefined) await inTurns(modules.describingTypes(schemas, this.#descriptions), turn);
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
        await turn.over();
      }
      facts.push(hash);
    }
    return digest([this.#program, this.#descriptions?.version ?? '', document.key, ...facts]);
  }
}

function digest(parts: readonly string[]): string {
  return createHash('sha512').update(parts.join('\n')).digest('hex').toUpperCase();
}
