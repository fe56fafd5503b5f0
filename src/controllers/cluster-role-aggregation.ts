// Controller of aggregated ClusterRoles, whose rules are those of all roles that their selectors match.

import { isObject } from '../api/is-object.ts';
import { equalJson } from '../api/json-equal.ts';
import { labelSelectorOf } from '../api/label-selector.ts';
import type { ApiObject, Json } from '../api/object.ts';
import { inTurns, type Steps } from '../base/steps.ts';
import { listAt } from '../resources/value.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { CachedObject } from '../verbs/watch.ts';
import { ControlledObjects } from './controlled-objects.ts';
import { type Controller, type ControllerContext, isDeleting } from './controller.ts';
import { type Followed, followed } from './followed.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

const GROUP = 'rbac.authorization.k8s.io';
const FIELD_MANAGER = 'clusterrole-aggregation-controller';

/** A single key: all aggregated roles are processed together, because each may be part of another. */
const ALL = 'all';

export class ClusterRoleAggregation implements Controller {
  readonly name = 'clusterrole-aggregation-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  readonly #queue: WorkQueue<string>;
  /** The names of roles with an aggregation rule. */
  readonly #aggregated = new Set<string>();
  #roles: Followed | undefined;
  #watch: ObjectWatch | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, 'clusterrole-aggregation-controller');
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: 1, work: () => this.#aggregate() });
  }

  async start(): Promise<void> {
    this.#roles = await followed(this.#context, GROUP, 'clusterroles');
    if (this.#roles === undefined) return;
    this.#watch = new ObjectWatch(this.#roles.cache, {
      changed: (role) => {
        if (role.bytes.includes('"aggregationRule":{')) this.#aggregated.add(role.name);
        this.#queue.add(ALL);
      },
      removed: (role) => {
        this.#aggregated.delete(role.name);
        this.#queue.add(ALL);
      },
    });
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#watch?.close();
    await this.#queue.stop();
  }

  async #aggregate(): Promise<undefined> {
    const { registry } = this.#context.writes;
    const turn = registry.turns.begin({ taskName: 'aggregation of ClusterRoles' });
    const roles = new Map(Array.from(this.#roles!.cache.snapshot().objects(EVERYTHING), (role) => [role.name, role]));
    for (const name of this.#aggregated) {
      const stored = roles.get(name);
      const role = stored === undefined ? undefined : decodeStored(stored);
      if (role === undefined || isDeleting(role)) continue;
      const selectors = listAt(role, 'aggregationRule', 'clusterRoleSelectors');
      if (selectors.length === 0) this.#aggregated.delete(name);
      else await this.#settle(role, await inTurns(summedRules({ name, selectors, roles: roles.values() }), turn));
    }
  }

  /**
   * Applied, so that other managers keep the rest of the role. No rules at all are left out, which takes back only those
   * that were applied before: as in Kubernetes, a role that selects nothing keeps the rules that somebody gave it.
   */
  async #settle(role: ApiObject, rules: Json[]): Promise<void> {
    if (equalJson(role['rules'] ?? [], rules)) return;
    const { definition } = this.#roles!;
    const { name = '' } = role.metadata;
    const wanted = rules.length === 0 ? {} : { rules };
    await this.#objects.apply({ definition, namespace: '', name }, wanted, { manager: FIELD_MANAGER });
  }
}

/** The union of the rules of the selected roles, in the order of their names, without duplicates. A step for each role. */
function* summedRules(sum: {
  readonly name: string;
  readonly selectors: readonly Json[];
  readonly roles: Iterable<CachedObject>;
}): Steps<Json[]> {
  const selects = sum.selectors.map(matcherOf);
  const rules = new Map<string, Json>();
  for (const role of sum.roles) {
    yield;
    if (role.name === sum.name || !selects.some((matches) => matches(role))) continue;
    for (const rule of listAt(decodeStored(role), 'rules')) {
      const text = JSON.stringify(rule, RULE_MEMBERS);
      if (!rules.has(text)) rules.set(text, rule);
    }
  }
  return [...rules.values()];
}

/** All members of a PolicyRule, in the order in which rules are compared. */
const RULE_MEMBERS = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'];

/** A label selector as a predicate; an invalid one matches nothing. */
function matcherOf(selector: Json): (role: CachedObject) => boolean {
  try {
    const parsed = labelSelectorOf(isObject(selector) ? selector : {});
    return (role) => parsed.matches(role.labels);
  } catch {
    return () => false;
  }
}
