// Reading of admission manifests: each document is decoded strictly, completed by defaults and validated like an object
// of the API, and must keep the rules of manifests. All of them are valid, or none is used.

import { MANIFEST_KINDS, type ManifestPlugin } from '../../admission/manifests.ts';
import { apiVersionOf, parseApiVersion } from '../../api/group-version.ts';
import { isObject } from '../../api/is-object.ts';
import { notAnObject, typeMetaOf, unreadableTypeMeta } from '../../api/not-an-object.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { isUnversionedKind, unregisteredKind } from '../../api/unregistered-kind.ts';
import { joined, NONE } from '../../base/findings.ts';
import { goQuote } from '../../base/go-quote.ts';
import type { ShortTurns, Turn } from '../../base/short-turns.ts';
import { inTurns } from '../../base/steps.ts';
import { registeredPackage } from '../../resources/builtin/registered-kinds.ts';
import { builtinResourcesIn } from '../../resources/builtin/resources.ts';
import { builtinType } from '../../resources/builtin/types.ts';
import type { ResourceDefinition, ServedVersion, StrategyContext } from '../../resources/definition.ts';
import { listAt } from '../../resources/value.ts';
import { decodingObject } from '../../schema/decode.ts';
import { computing } from '../../verbs/computed.ts';
import type { Registry } from '../../verbs/registry.ts';
import { inReleaseWords } from '../../verbs/release-errors.ts';
import { validateMetadata } from '../../verbs/update-validation.ts';
import { toStorage } from '../../verbs/version-forms.ts';
import { fieldErrorsText } from '../access/field-errors-text.ts';
import { checkStrictly, readDocument } from '../configuration-file.ts';
import { readManifestFiles } from './manifest-folder.ts';
import { checkManifest, checkReferences } from './manifest-rules.ts';

const GROUP = 'admissionregistration.k8s.io';
const VERSION = 'v1';
const GATE = 'ManifestBasedAdmissionControlConfig';
const USER = { name: '', uid: '', groups: [], extra: {} };
const LIST_MEMBERS = ['apiVersion', 'kind', 'metadata', 'items'];

export interface ManifestReaderNeeds {
  readonly registry: Pick<Registry, 'strategyContext'> & { readonly turns: Pick<ShortTurns, 'begin'> };
  /** The minor release of Kubernetes 1 that is served. */
  readonly minor: number;
}

export interface LoadedManifests {
  /** Sorted by name, in the storage version of their kinds. */
  readonly objects: readonly ApiObject[];
  /** Of the files. */
  readonly hash: string;
}

/** The manifests of a plugin in a folder. @throws Error with kube-apiserver's message if they cannot be used */
export async function readManifests(
  plugin: ManifestPlugin,
  folder: string,
  needs: ManifestReaderNeeds,
): Promise<LoadedManifests> {
  const { documents, hash } = await readManifestFiles(folder);
  const reader = new ManifestReader(plugin, needs);
  for (const { path, text } of documents) {
    try {
      await reader.read(path, text);
    } catch (error) {
      throw new Error(`error loading ${path}: ${(error as Error).message}`, { cause: error });
    }
  }
  return { objects: reader.sorted(), hash };
}

/** A kind that a plugin reads. */
interface Accepted {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
}

class ManifestReader {
  readonly #accepted: ReadonlyMap<string, Accepted>;
  readonly #minor: number;
  readonly #context: StrategyContext;
  readonly #turn: Turn;
  /** The files of all names so far, by kind. */
  readonly #seen = new Map<string, Map<string, string>>();
  readonly #objects: ApiObject[] = [];

  constructor(plugin: ManifestPlugin, { registry, minor }: ManifestReaderNeeds) {
    const kinds: readonly string[] = MANIFEST_KINDS[plugin];
    const definitions = builtinResourcesIn(minor).filter(({ group, kind }) => group === GROUP && kinds.includes(kind));
    this.#accepted = new Map(definitions.map((definition) => [definition.kind, acceptedOf(definition)]));
    this.#minor = minor;
    const context = registry.strategyContext(USER);
    // Names of manifests are reserved in the API only.
    this.#context = { ...context, gateEnabled: (gate) => gate !== GATE && context.gateEnabled(gate) };
    this.#turn = registry.turns.begin({ taskName: 'admission manifests' });
  }

  async read(path: string, text: string): Promise<void> {
    await this.#turn.over();
    const document = await readDocument(text, this.#turn);
    const unknown: string[] = [];
    const read = await this.#decode(document.value, text, unknown);
    await checkStrictly(document, unknown, this.#turn);
    await this.#accept(read, path);
  }

  /** All objects. @throws Error for a binding without its policy */
  sorted(): readonly ApiObject[] {
    const objects = this.#objects.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    checkReferences(objects);
    return objects;
  }

  /** @param unknown receives the paths of fields that the type does not have */
  async #decode(value: Json, text: string, unknown: string[]): Promise<Decoded> {
    const { kind, apiVersion } = checkedType(value, text);
    const object = value as JsonObject;
    if (kind === 'List') {
      unknown.push(...Object.keys(object).filter((name) => !LIST_MEMBERS.includes(name)));
      return { items: listAt(object, 'items') };
    }
    const [item, isList] = this.#accepted.has(kind) ? [kind, false] : [kind.replace(/List$/, ''), true];
    const accepted = this.#accepted.get(item);
    if (accepted === undefined || apiVersion !== apiVersionOf({ group: GROUP, version: VERSION })) {
      throw new Error(this.#unsupported(kind, apiVersion));
    }
    const type = isList ? builtinType(GROUP, VERSION, kind, this.#minor) : accepted.version.schema;
    const reading = { owned: true, gateEnabled: this.#context.gateEnabled };
    const decoded = await inTurns(decodingObject(type, object, reading), this.#turn);
    unknown.push(...decoded.unknown);
    const found = isList ? (listAt(decoded.value as Json, 'items') as ApiObject[]) : [decoded.value as ApiObject];
    return { objects: found, accepted };
  }

  #unsupported(kind: string, apiVersion: string): string {
    const isOwn = parseApiVersion(apiVersion)?.group === GROUP || isUnversionedKind(kind);
    const named = isOwn ? registeredPackage(GROUP, { kind, apiVersion }, this.#minor) : undefined;
    if (named === undefined) return unregisteredKind(kind, apiVersion, this.#minor);
    return `unsupported resource type *${named}.${kind}`;
  }

  async #accept(read: Decoded, path: string): Promise<void> {
    if (read.items !== undefined) {
      for (const item of read.items) await this.#accept(await this.#item(item), path);
      return;
    }
    const stored: ApiObject[] = [];
    for (const object of read.objects) stored.push(await this.#complete(object, read.accepted));
    for (const object of stored) {
      checkManifest(object, { path, seen: this.#seenOf(read.accepted.definition.kind) });
      this.#objects.push(object);
    }
  }

  /** An item of a list of any kinds. */
  async #item(value: Json): Promise<Decoded> {
    try {
      const unknown: string[] = [];
      const text = JSON.stringify(value);
      const decoded = await this.#decode(value, text, unknown);
      await checkStrictly({ text, value, duplicates: [] }, unknown, this.#turn);
      return decoded;
    } catch (error) {
      throw new Error(`failed to decode list item: ${(error as Error).message}`, { cause: error });
    }
  }

  /** With defaults, in the storage version. @throws Error if it is invalid */
  async #complete(object: ApiObject, { definition, version }: Accepted): Promise<ApiObject> {
    const { strategy, kind } = definition;
    await strategy.load?.();
    const context = this.#context;
    await this.#turn.over();
    const stored = await inTurns(
      computing(() => toStorage({ definition, version }, object, context)),
      this.#turn,
    );
    const validate = () =>
      joined(
        validateMetadata(definition, stored, context),
        strategy.validate?.(stored, context) ?? NONE,
        strategy.validateCreate?.(stored, context) ?? NONE,
      );
    await this.#turn.over();
    const found = await inTurns(computing(validate), this.#turn);
    if (found.length === 0) return stored;
    throw new Error(`${kind} ${goQuote(nameOf(stored))}: ${fieldErrorsText(inReleaseWords(found, definition))}`);
  }

  #seenOf(kind: string): Map<string, string> {
    const seen = this.#seen.get(kind) ?? new Map<string, string>();
    this.#seen.set(kind, seen);
    return seen;
  }
}

/** Objects of a kind, or the items of a list of any kinds. */
type Decoded =
  | { readonly items: readonly Json[] }
  | { readonly items?: undefined; readonly objects: readonly ApiObject[]; readonly accepted: Accepted };

function acceptedOf(definition: ResourceDefinition): Accepted {
  const version = definition.versions.find((each) => each.version === VERSION);
  if (version === undefined) throw new Error(`${definition.resource} have no version ${VERSION}`);
  return { definition, version };
}

/** @throws Error if it has no kind or version */
function checkedType(value: Json, text: string): { readonly kind: string; readonly apiVersion: string } {
  if (value !== null && !isObject(value)) throw new Error(notAnObject(value));
  const object = value ?? {};
  const unreadable = unreadableTypeMeta(object);
  if (unreadable !== undefined) throw new Error(unreadable);
  const { kind, apiVersion } = typeMetaOf(object);
  if (kind === '') throw new Error(`Object 'Kind' is missing in '${text}'`);
  if (apiVersion === '') throw new Error(`Object 'apiVersion' is missing in '${text}'`);
  if (parseApiVersion(apiVersion) === undefined) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return { kind, apiVersion };
}

function nameOf({ metadata }: ApiObject): string {
  return metadata.name ?? '';
}
