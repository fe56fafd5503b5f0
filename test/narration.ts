// A kind whose rules, admission, allocator and store record every call. Tests of the write path use it to check the
// order of steps.

import type { Admission } from '../src/admission/chain.ts';
import type { ApiObject, JsonObject } from '../src/api/object.ts';
import { ManualClock } from '../src/base/clock.ts';
import { SeededRandom } from '../src/base/seeded-random.ts';
import { FeatureGates } from '../src/lifecycle/feature-gates.ts';
import type { ResourceDefinition, Strategy } from '../src/resources/definition.ts';
import { MemoryStore } from '../src/store/memory-store.ts';
import { type Expected, StoreTimeoutError, type WriteResult } from '../src/store/store.ts';
import { parseQuery } from '../src/verbs/query.ts';
import { Registry } from '../src/verbs/registry.ts';
import {
  nothingRepeated,
  type RequestBody,
  type ResourceRequest,
  type StoredObject,
} from '../src/verbs/resource-request.ts';
import { decodeStored } from '../src/verbs/stored-form.ts';
import type { WriteContext } from '../src/verbs/write.ts';
import { builtinResource } from './contract/defaults.ts';

type Happening = () => unknown;

export class Narration {
  /** The steps since the last read, in order. */
  readonly #told: string[] = [];
  /** Actions for steps besides recording; they may throw to reject. Each runs once. */
  readonly #happenings = new Map<string, Happening>();
  readonly definition: ResourceDefinition;
  readonly context: WriteContext;
  readonly #store: MemoryStore;
  #losesAnswer = false;

  /**
   * @param rules additional rules of the kind
   * @param gates the feature gates, by default those of the current version
   */
  constructor(rules: Partial<Strategy> = {}, gates = new FeatureGates()) {
    const clock = new ManualClock();
    const tell = (step: string): void => this.#tell(step);
    const answered = (): void => this.#answered();
    class TellingStore extends MemoryStore {
      override async put(key: string, value: Buffer, expected: Expected): Promise<WriteResult> {
        tell(expected === 'absent' ? 'store: put if absent' : 'store: put if unchanged');
        const result = await super.put(key, value, expected);
        answered();
        return result;
      }
      override delete(key: string, expected: Exclude<Expected, 'absent'>): Promise<WriteResult> {
        tell('store: delete if unchanged');
        return super.delete(key, expected);
      }
    }
    this.#store = new TellingStore({ clock });
    const registry = new Registry({
      ...{ store: this.#store, clock, random: new SeededRandom(1), gates },
    });
    this.definition = this.#definition(rules);
    this.context = { registry, admission: this.#admission() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.context.registry.close();
    await this.#store.close();
  }

  /** Returns the steps since the last call. */
  told(): string[] {
    return this.#told.splice(0);
  }

  /** Sets an action for the next occurrence of a step. */
  once(step: string, happening: Happening): void {
    this.#happenings.set(step, happening);
  }

  /** Makes the store apply the next write but lose its response, with concurrent writes by others. */
  loseAnswer(): void {
    Object.assign(this.#store, { catchUp: async () => {} });
    this.#losesAnswer = true;
  }

  #answered(): void {
    const isLost = this.#losesAnswer;
    this.#losesAnswer = false;
    if (isLost) throw new StoreTimeoutError('no answer');
  }

  /** Makes the server allocate a unique value to each object of the kind. */
  allocate(): void {
    this.context.registry.allocations.add(this.definition, {
      allocate: async () => {
        this.#tell('allocator: gives');
        return {
          keep: async () => this.#tell('allocator: the object keeps what it was given'),
          undo: async () => this.#tell('allocator: what was given is free'),
        };
      },
      release: async () => this.#tell('allocator: the object is gone'),
    });
  }

  request(name: string, { query = '', subresource = '' } = {}): ResourceRequest {
    return {
      ...{
        definition: this.definition,
        version: this.definition.versions[0]!,
        namespace: 'default',
        name,
        subresource,
      },
      ...{ user: { name: 'jane', uid: '', groups: [], extra: {} }, userAgent: 'test', query: parseQuery(query) },
      warnings: [],
    };
  }

  body(metadata: JsonObject, spec: JsonObject = {}, status: JsonObject = {}): RequestBody {
    return { value: { metadata, spec, status }, excerpt: '', repeated: nothingRepeated };
  }

  /** Returns the body of a response as an object. */
  read(stored: StoredObject): ApiObject {
    return decodeStored(stored);
  }

  #tell(step: string): void {
    this.#told.push(step);
    const happening = this.#happenings.get(step);
    this.#happenings.delete(step);
    happening?.();
  }

  #definition(rules: Partial<Strategy>): ResourceDefinition {
    const own = builtinResource('poddisruptionbudgets.policy');
    const strategy: Strategy = {
      ...{ nameRule: 'subdomain', generation: true, createOnUpdate: false, unconditionalUpdate: true },
      load: async () => this.#tell('rules: load'),
      defaults: () => this.#tell('rules: defaults'),
      prepareForCreate: () => this.#tell('rules: prepareForCreate'),
      prepareForUpdate: () => this.#tell('rules: prepareForUpdate'),
      validate: () => this.#nothing('rules: validate'),
      validateCreate: () => this.#nothing('rules: validateCreate'),
      validateUpdate: () => this.#nothing('rules: validateUpdate'),
      subresources: {
        status: {
          prepareForUpdate: () => this.#tell('rules of the status: prepareForUpdate'),
          validateUpdate: () => this.#nothing('rules of the status: validateUpdate'),
        },
      },
      warnings: () => this.#nothing('rules: warnings'),
      ...rules,
    };
    return { ...own, strategy };
  }

  #nothing(step: string): [] {
    this.#tell(step);
    return [];
  }

  #admission(): Admission {
    return {
      admit: () => this.#tell('admission: mutating'),
      admitWhole: async () => this.#tell('admission: mutating and validating'),
      validate: async (_request, write) => {
        this.#tell('admission: validating');
        this.#tell('quota: charged');
        write.undoUnlessStored(async () => this.#tell('quota: given back'));
      },
    };
  }
}
