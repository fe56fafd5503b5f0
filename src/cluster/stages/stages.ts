// Stages of KWOK: those that the server stores are followed, and the objects of the kinds that they are about are driven
// by them.

import type { ApiObject } from '../../api/object.ts';
import { messageOf } from '../../base/error-message.ts';
import { limits } from '../../base/limits.ts';
import { WorkQueue } from '../../controllers/work-queue.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import type { Index, Informed, Informer } from '../informer.ts';
import type { Wakes } from '../nodes/wakes.ts';
import { keyOf } from '../reconciler.ts';
import { type CompiledStage, compileStage } from './compiled-stage.ts';
import { installStages } from './install-stages.ts';
import { nextTurn } from './next-turn.ts';
import { STAGE_GROUP, STAGE_RESOURCE, type Stage } from './stage-objects.ts';
import { nodeSubjects, otherSubjects, podSubjects, type SubjectNeeds } from './stage-subjects.ts';
import { StageWriter } from './stage-writer.ts';
import { StagedResource, type StageSubjects } from './staged-resource.ts';

/** The kinds with a life of their own, which Stages replace. */
type LivingKind = 'pods' | 'nodes';

interface StagesNeeds extends SubjectNeeds {
  readonly pods: Informer<Pod>;
  readonly wakes: Wakes;
  /** Stages have begun or ceased to drive a kind. */
  readonly changed: (kind: LivingKind) => void;
}

/** A version of a Stage, and what became of it. */
interface Known {
  readonly version: string;
  /** Undefined if it is broken. */
  readonly compiled: CompiledStage | undefined;
}

/** The key of the Stages themselves; those of objects begin with their resource. */
const STAGES = 'stages';
/** Stages that are compiled before other work may run. */
const COMPILED_AT_ONCE = 4;

export class Stages {
  readonly #needs: StagesNeeds;
  readonly #writer: StageWriter;
  readonly #queue: WorkQueue<string>;
  readonly #known = new Map<string, Known>();
  /** By group and resource. */
  readonly #resources = new Map<string, StagedResource>();
  readonly #subjects: Readonly<Record<LivingKind, StageSubjects>> & { readonly other: StageSubjects };
  #driven: ReadonlySet<string> = new Set();
  #stages: Informer<Stage> | undefined;
  #podsByNode: Index<Pod> | undefined;
  #unfollow = (): void => {};
  #tellsOfTooMany = true;

  constructor(needs: StagesNeeds) {
    this.#needs = needs;
    this.#writer = new StageWriter(needs.context);
    this.#subjects = { pods: podSubjects(needs), nodes: nodeSubjects(needs), other: otherSubjects(needs) };
    this.#queue = new WorkQueue<string>({
      name: 'stages',
      context: needs.context,
      concurrency: limits.controllerWrites,
      work: (key) => (key === STAGES ? this.#see() : this.#look(key)),
    });
  }

  /** Installs Stages that the server is started with, and learns which there are. */
  async open(): Promise<void> {
    const { context } = this.#needs;
    const { stages } = context.settings;
    await installStages(context, this.#writer.objects, stages).catch((error: unknown) => {
      context.log.warn('Stages could not be installed', { error });
    });
    this.#unfollow = context.catalog.follow(() => this.#queue.add(STAGES));
    // What fails here is tried again by the queue.
    await this.#see().catch(() => this.#queue.add(STAGES));
  }

  start(): void {
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#unfollow();
    await this.#queue.stop();
    for (const resource of this.#resources.values()) resource.close();
  }

  /** Whether Stages take the place of what simulated nodes do by themselves. */
  drives(kind: LivingKind): boolean {
    return this.#driven.has(`/${kind}`);
  }

  /** A node has come up or gone down: it is looked at again, and so are its pods. */
  nodeChanged(name: string): void {
    if (this.drives('nodes')) this.#queue.add(`/nodes ${name}`);
    if (!this.drives('pods')) return;
    for (const pod of this.#podsByNode?.get(name) ?? []) this.#queue.add(`/pods ${keyOf(pod)}`);
  }

  async #look(key: string): Promise<undefined> {
    const space = key.indexOf(' ');
    return await this.#resources.get(key.slice(0, space))?.look(key.slice(space + 1));
  }

  async #see(): Promise<undefined> {
    const byResource = await this.#byResource();
    const before = this.#driven;
    this.#driven = new Set(byResource.keys());
    for (const kind of ['pods', 'nodes'] as const) {
      if (before.has(`/${kind}`) !== this.#driven.has(`/${kind}`)) this.#needs.changed(kind);
    }
    for (const [id, resource] of this.#resources) {
      if (byResource.has(id)) continue;
      resource.close();
      this.#resources.delete(id);
    }
    for (const [id, { definition, stages }] of byResource) (await this.#resource(id, definition)).drive(stages);
    return undefined;
  }

  /** What is right among the Stages, by the resources that they drive. */
  async #byResource() {
    const found = new Map<string, { definition: ResourceDefinition; stages: CompiledStage[] }>();
    const stages = await this.#compiled();
    if (stages.length === 0) return found;
    const served = new Map(this.#needs.context.catalog.definitions.flatMap((each) => namesOf(each, each)));
    for (const stage of stages) {
      const definition = served.get(`${stage.group}/${stage.kind.toLowerCase()}`);
      if (definition === undefined) continue;
      const id = idOf(definition);
      const resource = found.get(id) ?? { definition, stages: [] };
      found.set(id, resource);
      resource.stages.push(stage);
    }
    return found;
  }

  async #compiled(): Promise<CompiledStage[]> {
    const informer = await this.#opened();
    const all = (informer?.list() ?? []).sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    if (all.length > limits.stages && this.#tellsOfTooMany) {
      this.#needs.context.log.warn('there are too many Stages', { stages: all.length, followed: limits.stages });
    }
    this.#tellsOfTooMany = all.length <= limits.stages;
    const followed = all.slice(0, limits.stages);
    const names = new Set(followed.map(nameOf));
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name);
    let count = 0;
    for (const stage of followed) {
      if (this.#compile(stage) && ++count % COMPILED_AT_ONCE === 0) await nextTurn();
    }
    return followed.flatMap((stage) => this.#known.get(nameOf(stage))?.compiled ?? []);
  }

  /** Returns whether it is a new version, which had to be compiled. */
  #compile(stage: Stage): boolean {
    const { uid = '', generation = 0 } = stage.metadata;
    const version = `${uid} ${generation}`;
    if (this.#known.get(nameOf(stage))?.version === version) return false;
    let compiled: CompiledStage | undefined;
    try {
      compiled = compileStage(stage);
    } catch (error) {
      const message = messageOf(error);
      this.#writer.events.warn(stage, 'InvalidStage', `The Stage is left out: ${message}`);
    }
    this.#known.set(nameOf(stage), { version, compiled });
    return true;
  }

  /** The informer of Stages; undefined while they are not served. */
  async #opened(): Promise<Informer<Stage> | undefined> {
    const { informers } = this.#needs.context;
    if (!informers.serves(STAGE_GROUP, STAGE_RESOURCE)) return undefined;
    if (this.#stages === undefined) {
      this.#stages = await informers.open<Stage>(STAGE_GROUP, STAGE_RESOURCE);
      this.#stages.follow({ changed: () => this.#queue.add(STAGES), removed: () => this.#queue.add(STAGES) });
    }
    return this.#stages;
  }

  async #resource(id: string, { group, resource }: ResourceDefinition): Promise<StagedResource> {
    const known = this.#resources.get(id);
    if (known !== undefined) return known;
    const { context, wakes, pods } = this.#needs;
    const informer = await context.informers.open<Informed>(group, resource);
    if (id === '/pods') this.#podsByNode ??= pods.index(({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
    const made = new StagedResource({
      ...{ context, informer, wakes, writer: this.#writer },
      subjects: id === '/pods' || id === '/nodes' ? this.#subjects[resource as LivingKind] : this.#subjects.other,
      add: (key) => this.#queue.add(`${id} ${key}`),
      failed: (stage, object, message) => this.#failed(stage, object, message),
    });
    this.#resources.set(id, made);
    return made;
  }

  #failed({ stage, name }: CompiledStage, object: ApiObject, message: string): void {
    const subject = `${object.kind ?? ''} ${keyOf(object)}`;
    this.#writer.events.warn(stage, 'StageFailed', `${subject}: ${message}`);
    this.#needs.context.log.debug({ file: 'stages', level: 2 }, 'a Stage failed', { stage: name, subject, message });
  }
}

function idOf({ group, resource }: ResourceDefinition): string {
  return `${group}/${resource}`;
}

/** A resource by its kind, and by its own name, which KWOK accepts as well. */
function namesOf({ group, kind, resource }: ResourceDefinition, definition: ResourceDefinition) {
  return [kind.toLowerCase(), resource].map((name) => [`${group}/${name}`, definition] as const);
}

function nameOf({ metadata }: Stage): string {
  return metadata.name ?? '';
}
