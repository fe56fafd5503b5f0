// Controller of CustomResourceDefinitions: accepts their names, updates their status, serves their resources while they
// are established, and has their objects deleted before a definition is removed.

import { equalJson } from '../api/json-equal.ts';
import { parsingJson } from '../api/json-reader.ts';
import { copyJson, stringifyJson } from '../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { limits } from '../base/limits.ts';
import type { Steps } from '../base/steps.ts';
import { givesUpNames, takenNames } from '../resources/custom/accepted-names.ts';
import { blockedVersions, customResource, isServable } from '../resources/custom/custom-resource.ts';
import { establish, settleStatus } from '../resources/custom/definition-conditions.ts';
import { Lifetime } from '../resources/custom/lifetime.ts';
import { preservesAll } from '../resources/custom/preserved-fields.ts';
import { type AskWebhook, WebhookConverter } from '../resources/custom/webhook-converter.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { at, textAt } from '../resources/value.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { CachedObject, WatchCache } from '../verbs/watch.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import { type Controller, type ControllerContext, isDeleting } from './controller.ts';
import { CustomObjectCleanup } from './custom-object-cleanup.ts';
import { definitionOutline } from './definition-outline.ts';
import { ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

const GROUP = 'apiextensions.k8s.io';
const RESOURCE = 'customresourcedefinitions';
/** What is currently served of a definition. */
interface Served {
  readonly group: string;
  readonly resource: string;
  /** The state of the definition: see `servedOf`. */
  readonly says: string;
  /** Where it can be read again: the latest bytes with this state; older ones need not be kept. */
  readonly source: { bytes: CachedObject['bytes'] };
  readonly terminating: boolean;
  readonly lifetime: Lifetime;
  /** The resource in its storage version. */
  readonly stored: ResourceDefinition | undefined;
}

export interface CustomResourcesContext extends ControllerContext {
  /** How to call conversion webhooks. */
  readonly askWebhook: AskWebhook;
}

export class CustomResources implements Controller {
  readonly name = 'custom-resources';
  readonly #context: CustomResourcesContext;
  readonly #objects: ControlledObjects;
  readonly #settling: WorkQueue<string>;
  readonly #cleanup: CustomObjectCleanup;
  readonly #served = new Map<string, Served>();
  /** Accepted names, by group and definition. */
  readonly #names = new Map<string, Map<string, Json | undefined>>();
  #cache: WatchCache | undefined;
  #watch: ObjectWatch | undefined;

  constructor(context: CustomResourcesContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, 'custom-resource-controller', 'kube-apiserver');
    this.#settling = new WorkQueue({
      name: this.name,
      context,
      concurrency: limits.definitionWorkers,
      work: (name) => this.#settle(name),
    });
    this.#cleanup = new CustomObjectCleanup(context, {
      definitions: this.#objects,
      placeOf: (name) => this.#place(name),
      storedResource: (name) => this.#served.get(name)?.stored,
    });
  }

  /** Resolves when all stored definitions are served. */
  async start(): Promise<void> {
    const { catalog, writes } = this.#context;
    const definition = catalog.find(GROUP, RESOURCE);
    if (definition === undefined) return;
    this.#cache = (await writes.registry.storage(definition)).cache;
    await new Promise<void>((synced) => {
      this.#watch = new ObjectWatch(this.#cache as WatchCache, {
        changed: (object) => this.#changed(object),
        removed: (object) => this.#removed(object),
        synced,
      });
    });
    this.#settling.start();
    this.#cleanup.start();
    await this.#settling.quiet();
  }

  /** Resolves when what is known of definitions is served. */
  settled(): Promise<void> {
    return this.#settling.quiet();
  }

  async stop(): Promise<void> {
    this.#watch?.close();
    await this.#settling.stop();
    await this.#cleanup.stop();
  }

  #changed({ name }: CachedObject): void {
    const group = groupOf(name);
    const names = this.#names.get(group) ?? new Map<string, Json | undefined>();
    this.#names.set(group, names);
    if (!names.has(name)) names.set(name, undefined);
    this.#settling.add(name);
  }

  /** The names of a removed definition become available to others in its group. */
  #removed({ name }: CachedObject): void {
    const names = this.#names.get(groupOf(name));
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(groupOf(name));
    this.#settling.add(name);
    this.#settleOthers(name);
  }

  /** What waits for a name that a definition no longer has. */
  #settleOthers(name: string): void {
    for (const other of this.#names.get(groupOf(name))?.keys() ?? []) if (other !== name) this.#settling.add(other);
  }

  /**
   * Decides on names in one step, before anything is awaited: others, settled at the same time, may want the same.
   */
  async #settle(name: string): Promise<undefined> {
    const stored = this.#stored(name);
    if (stored === undefined) {
      this.#context.catalog.block(groupOf(name), pluralOf(name), []);
      this.#withdraw(name);
      return undefined;
    }
    const outline = definitionOutline(stored);
    // Only these have conditions that depend on their schemas.
    const definition = preservesAll(outline) ? decodeStored(stored) : outline;
    const names = this.#names.get(groupOf(name));
    names?.set(name, at(definition, 'status', 'acceptedNames'));
    if (isDeleting(definition)) {
      this.#cleanup.add(name);
    } else {
      const taken = takenNames([...(names ?? [])].flatMap(([other, its]) => (other === name ? [] : its)));
      const now = timestamp(this.#context.clock.now());
      const settled = { ...definition, status: copyJson(definition['status']) };
      const changed = settleStatus(settled, taken, now);
      const established = establish(settled, now);
      // Clients that read in the status why nothing is served must not get 404 for an unknown path.
      this.#context.catalog.block(groupOf(name), pluralOf(name), blockedVersions(settled));
      if (changed || established) {
        const accepted = at(settled, 'status', 'acceptedNames');
        names?.set(name, accepted);
        let isCurrent = true;
        const settleAgain = (current: ApiObject): boolean => {
          // If it asks for other names meanwhile, those are decided on next.
          isCurrent = equalJson(at(current, 'spec', 'names'), at(definition, 'spec', 'names'));
          return isCurrent && settleStatus(current, taken, now);
        };
        await this.#objects.change(this.#place(name), settleAgain, 'status');
        if (!isCurrent) return undefined;
        if (givesUpNames(at(definition, 'status', 'acceptedNames'), accepted)) this.#settleOthers(name);
        await this.#objects.change(this.#place(name), (current) => establish(current, now), 'status');
        // Afterwards, so that a client that finds it served reads a matching status, and does not conflict with our
        // writes.
        this.#serve(name, settled, stored);
        return undefined;
      }
    }
    this.#serve(name, definition, stored);
    return undefined;
  }

  /** Updates the catalog from the definition. */
  #serve(name: string, definition: ApiObject, { bytes }: CachedObject): void {
    if (!isServable(definition)) {
      this.#withdraw(name);
      return;
    }
    const before = this.#served.get(name);
    const terminating = isDeleting(definition);
    const says = servedOf(definition);
    const same = before?.says === says;
    const source = same ? before.source : { bytes };
    source.bytes = bytes;
    if (same && before.terminating === terminating) return;
    // A terminating definition keeps its watches open, so that they see the deletion of its objects.
    const lifetime = same ? before.lifetime : new Lifetime();
    const { catalog } = this.#context;
    const { entries, stored } = customResource({
      definition,
      stored: { bytes: () => source.bytes, reading: () => parsingJson(source.bytes) as Steps<ApiObject> },
      tag: says,
      lifetime,
      converter: this.#converter(definition),
      minor: catalog.minor,
      fieldSelectors: this.#context.writes.registry.gateEnabled('CustomResourceFieldSelectors'),
    });
    const group = textAt(definition, 'spec', 'group');
    const resource = textAt(definition, 'spec', 'names', 'plural');
    if (entries.length === 0) catalog.remove({ group, resource, custom: true });
    else catalog.addEntries(entries);
    if (before !== undefined && !same) {
      this.#reopen(before);
      before.lifetime.end();
    }
    this.#served.set(name, { group, resource, says, source, terminating, lifetime, stored });
  }

  /** The converter between versions with different schemas. */
  #converter(definition: ApiObject): WebhookConverter | undefined {
    const conversion = at(definition, 'spec', 'conversion');
    if (textAt(conversion, 'strategy') !== 'Webhook') return undefined;
    const { askWebhook: ask, writes } = this.#context;
    const webhook = at(conversion, 'webhook') as JsonObject;
    return new WebhookConverter({ webhook, ask, newUid: () => writes.registry.random.uuid() });
  }

  #withdraw(name: string): void {
    const served = this.#served.get(name);
    if (served === undefined) return;
    this.#served.delete(name);
    this.#context.catalog.remove({ ...served, custom: true });
    this.#reopen(served);
    served.lifetime.end();
  }

  /** What is cached was read by another definition. */
  #reopen({ stored }: Served): void {
    const { catalog, writes } = this.#context;
    if (stored !== undefined && !catalog.overlapsBuiltin(stored)) writes.registry.reopen(stored.storagePrefix);
  }

  #stored(name: string): CachedObject | undefined {
    return this.#cache?.get(`/registry/${GROUP}/${RESOURCE}/${name}`);
  }

  #place(name: string): ObjectPlace {
    const definition = this.#context.catalog.find(GROUP, RESOURCE);
    if (definition === undefined) throw new Error(`${RESOURCE} are not served`);
    return { definition, namespace: '', name };
  }
}

/** The group in a definition's name. */
function groupOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** The plural name in it. */
function pluralOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/** Identifies the served state of a definition. */
function servedOf(definition: ApiObject): string {
  const { uid = '', generation = 0 } = definition.metadata;
  // The generation stands for the spec, because every change of the spec increments it.
  return stringifyJson([uid, generation, at(definition, 'status', 'acceptedNames') ?? null]);
}
