// Controller of HorizontalPodAutoscalers: every fifteen seconds it compares what the pods of a workload use with what
// they should, and sets the number of replicas.

import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import { type LabelSelector, parseLabelSelector } from '../../api/label-selector.ts';
import type { Draft } from '../../api/object.ts';
import { parseQuantity } from '../../api/quantity.ts';
import { timestamp } from '../../api/timestamp.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Controller } from '../../controllers/controller.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '../../resources/builtin/autoscaling/v2-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { withCondition } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Informer } from '../informer.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { type Scale, type ScalePlace, Scales } from '../scales.ts';
import { MetricFailure } from './metric-failure.ts';
import { proposeByMetric } from './metric-proposals.ts';
import type { Tolerances } from './replica-proposal.ts';
import { targetOf } from './scale-target.ts';
import { ScalingHistory } from './scaling-history.ts';
import { bounded } from './scaling-rules.ts';

const ACCOUNT = 'horizontal-pod-autoscaler';
/** kube-controller-manager's defaults. */
const PERIOD_MS = 15_000;
const TOLERANCE = 0.1;

export function horizontalPodAutoscaler(context: ClusterContext): Controller {
  return reconciler(context, {
    name: 'horizontal-pod-autoscaler-controller',
    begin: (keys) => new Autoscalers(context).begin(keys),
  });
}

/** What is known of an autoscaler beside its object. */
interface Known {
  readonly history: ScalingHistory;
  selector: LabelSelector | undefined;
}

/** One look at an autoscaler. */
interface Look {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly known: Known;
  readonly status: Draft<HorizontalPodAutoscalerStatus>;
  readonly nowMs: number;
}

interface Decision {
  readonly replicas: number;
  readonly reason: string;
  readonly metrics?: readonly MetricStatus[];
}

type Metrics = NonNullable<Draft<HorizontalPodAutoscalerStatus>['currentMetrics']>;

class Autoscalers {
  readonly #context: ClusterContext;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  readonly #scales: Scales;
  readonly #known = new Map<string, Known>();
  #autoscalers!: Informer<HorizontalPodAutoscaler>;
  #pods!: Informer<Pod>;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#objects = new ClusterObjects(context, ACCOUNT);
    this.#events = new ClusterEvents(context, { component: ACCOUNT, as: ACCOUNT });
    this.#scales = new Scales(context, ACCOUNT);
  }

  async begin(keys: Keys): Promise<(key: string) => Promise<number | undefined>> {
    const { informers } = this.#context;
    this.#autoscalers = await informers.open<HorizontalPodAutoscaler>('autoscaling', 'horizontalpodautoscalers');
    this.#pods = await informers.open<Pod>('', 'pods');
    this.#autoscalers.follow({
      changed: (autoscaler, previous) => {
        // A new one waits, as its workload may not be there yet.
        if (previous === undefined) keys.addAfter(keyOf(autoscaler), PERIOD_MS);
        else if (!equalJson(previous.spec ?? {}, autoscaler.spec ?? {})) keys.add(keyOf(autoscaler));
      },
      removed: (autoscaler) => this.#known.delete(keyOf(autoscaler)),
    });
    return (key) => this.#reconcile(key);
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const { namespace, name } = splitKey(key);
    const autoscaler = this.#autoscalers.get(namespace, name);
    if (autoscaler === undefined) return undefined;
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = { history: new ScalingHistory(), selector: undefined }));
    const status = { ...autoscaler.status } as Draft<HorizontalPodAutoscalerStatus>;
    await this.#scale({ autoscaler, known, status, nowMs: this.#context.clock.now() });
    if (!equalJson(status, autoscaler.status ?? {})) {
      await this.#objects.updateStatus(this.#autoscalers, autoscaler, (draft) => {
        draft.status = status;
        return true;
      });
    }
    return PERIOD_MS;
  }

  async #scale(look: Look): Promise<void> {
    const { autoscaler, known, status, nowMs } = look;
    let place: ScalePlace;
    let scale: Scale;
    try {
      place = targetOf(autoscaler, this.#scales);
      scale = await this.#scales.read(place);
    } catch (error) {
      this.#events.warn(autoscaler, 'FailedGetScale', messageOf(error));
      const words = `the HPA controller was unable to get the target's current scale: ${messageOf(error)}`;
      set(look, 'AbleToScale', [false, 'FailedGetScale', words]);
      return;
    }
    const words = "the HPA controller was able to get the target's current scale";
    set(look, 'AbleToScale', [true, 'SucceededGetScale', words]);
    const current = scale.spec?.replicas ?? 0;
    known.history.begin(current, nowMs);
    const decision = this.#decide(look, scale);
    if (decision === undefined) {
      Object.assign(status, { currentReplicas: current, desiredReplicas: status.desiredReplicas ?? 0 });
      return;
    }
    const { replicas, reason, metrics = null } = decision;
    Object.assign(status, { currentReplicas: current, currentMetrics: metrics });
    if (replicas === current) status.desiredReplicas = current;
    else await this.#rescale(look, { place, scale, replicas, reason });
  }

  async #rescale(
    look: Look,
    { place, scale, replicas, reason }: { place: ScalePlace; scale: Scale; replicas: number; reason: string },
  ): Promise<void> {
    const { autoscaler, known, status, nowMs } = look;
    try {
      await this.#scales.write(place, scale, replicas);
    } catch (error) {
      const message = messageOf(error);
      this.#events.warn(autoscaler, 'FailedRescale', `New size: ${replicas}; reason: ${reason}; error: ${message}`);
      const words = `the HPA controller was unable to update the target scale: ${message}`;
      set(look, 'AbleToScale', [false, 'FailedUpdateScale', words]);
      status.desiredReplicas ??= 0;
      return;
    }
    const words = `the HPA controller was able to update the target scale to ${replicas}`;
    set(look, 'AbleToScale', [true, 'SucceededRescale', words]);
    this.#events.record(autoscaler, 'SuccessfulRescale', `New size: ${replicas}; reason: ${reason}`);
    known.history.scaled(replicas - (scale.spec?.replicas ?? 0), nowMs);
    Object.assign(status, { desiredReplicas: replicas, lastScaleTime: timestamp(nowMs) });
  }

  /** The number of replicas to set; undefined if that is not known, which has been reported. */
  #decide(look: Look, scale: Scale): Decision | undefined {
    const { minReplicas = 1, maxReplicas = 0 } = look.autoscaler.spec ?? {};
    const current = scale.spec?.replicas ?? 0;
    if (current === 0 && minReplicas !== 0) {
      const words = 'scaling is disabled since the replica count of the target is zero';
      set(look, 'ScalingActive', [false, 'ScalingDisabled', words]);
      return { replicas: 0, reason: '' };
    }
    if (current > maxReplicas) {
      return { replicas: maxReplicas, reason: 'Current number of replicas above Spec.MaxReplicas' };
    }
    if (current < minReplicas) {
      return { replicas: minReplicas, reason: 'Current number of replicas below Spec.MinReplicas' };
    }
    const found = this.#byMetrics(look, scale);
    if (found === undefined) return undefined;
    const { desired, metric, metrics } = found;
    const { autoscaler, known, nowMs } = look;
    const { replicas, stability, limit, isLimited } = bounded({
      ...{ current, desired, least: minReplicas, most: maxReplicas },
      ...{ behavior: autoscaler.spec?.behavior, history: known.history, nowMs },
    });
    set(look, 'AbleToScale', [true, stability.reason, stability.message]);
    set(look, 'ScalingLimited', [isLimited, limit.reason, limit.message]);
    const reason = desired > current ? `${metric} above target` : 'All metrics below target';
    return { replicas, reason, metrics };
  }

  /** What the most demanding metric asks for; undefined if none can be relied on, which has been reported. */
  #byMetrics(look: Look, scale: Scale) {
    const { autoscaler, status, nowMs } = look;
    const { namespace = '' } = autoscaler.metadata;
    const current = scale.spec?.replicas ?? 0;
    const pods = this.#podsOf(look, scale.status?.selector ?? '');
    if (pods === undefined) {
      status.currentMetrics = null;
      return undefined;
    }
    let [desired, metric] = [0, ''];
    const failures: MetricFailure[] = [];
    const specs = autoscaler.spec?.metrics ?? [];
    const around = { pods, current, tolerances: this.#tolerances(autoscaler), nowMs, namespace };
    const metrics = specs.map((spec): MetricStatus => {
      try {
        const proposal = proposeByMetric(spec, around);
        if (desired === 0 || proposal.replicas > desired) [desired, metric] = [proposal.replicas, proposal.name];
        return proposal.status;
      } catch (error) {
        if (!(error instanceof MetricFailure)) throw error;
        this.#events.warn(autoscaler, error.reason, error.detail);
        failures.push(error);
        return { type: '' };
      }
    });
    const [first] = failures;
    if (first !== undefined && (failures.length === specs.length || desired < current)) {
      const detail = `the HPA was unable to compute the replica count: ${first.detail}`;
      set(look, 'ScalingActive', [false, first.reason, detail]);
      status.currentMetrics = copyJson(metrics) as Metrics;
      const count = `invalid metrics (${failures.length} invalid out of ${specs.length})`;
      this.#failed(autoscaler, `${count}, first error is: ${first.message}`);
      return undefined;
    }
    const words = `the HPA was able to successfully calculate a replica count from ${metric}`;
    set(look, 'ScalingActive', [true, 'ValidMetricFound', words]);
    return { desired, metric, metrics };
  }

  /** The pods of the workload; undefined if they cannot be told, which has been reported. */
  #podsOf(look: Look, text: string): Pod[] | undefined {
    const { autoscaler, known } = look;
    const { namespace = '', name = '' } = autoscaler.metadata;
    const refused = (reason: string, message: string, shown = message): undefined => {
      this.#events.warn(autoscaler, reason, message);
      set(look, 'ScalingActive', [false, reason === 'SelectorRequired' ? 'InvalidSelector' : reason, shown]);
      this.#failed(autoscaler, message);
    };
    if (text === '') {
      return refused('SelectorRequired', 'selector is required', "the HPA target's scale is missing a selector");
    }
    let selector: LabelSelector;
    try {
      selector = parseLabelSelector(text);
    } catch (error) {
      const words = "couldn't convert selector into a corresponding internal selector object";
      return refused('InvalidSelector', `${words}: ${messageOf(error)}`);
    }
    known.selector = selector;
    const pods = this.#pods.list(namespace).filter(({ metadata }) => selector.matches(metadata.labels));
    const others = this.#autoscalers.list(namespace).flatMap((other) => {
      const theirs = other === autoscaler ? undefined : this.#known.get(keyOf(other))?.selector;
      const isShared = theirs !== undefined && pods.some(({ metadata }) => theirs.matches(metadata.labels));
      return isShared ? [other.metadata.name ?? ''] : [];
    });
    if (others.length === 0) return pods;
    const keys = [name, ...others].sort().map((each) => `{${namespace} ${each}}`);
    const words = `pods by selector ${text} are controlled by multiple HPAs: [${keys.join(' ')}]`;
    return refused('AmbiguousSelector', words);
  }

  #failed(autoscaler: HorizontalPodAutoscaler, message: string): void {
    this.#events.warn(autoscaler, 'FailedComputeMetricsReplicas', message);
  }

  #tolerances({ spec }: HorizontalPodAutoscaler): Tolerances {
    const { scaleUp, scaleDown } = spec?.behavior ?? {};
    const areOwn = this.#context.writes.registry.gateEnabled('HPAConfigurableTolerance');
    const read = (text: string | undefined) => {
      if (!areOwn || text === undefined) return TOLERANCE;
      const { mantissa, exponent } = parseQuantity(text);
      return Number(mantissa) * 10 ** exponent;
    };
    return { up: read(scaleUp?.tolerance), down: read(scaleDown?.tolerance) };
  }
}

function set(
  { status, nowMs }: Look,
  type: string,
  [holds, reason, message]: readonly [holds: boolean, reason: string, message: string],
): void {
  const condition = { type, status: holds ? 'True' : 'False', reason, message };
  status.conditions = withCondition(status.conditions, { ...condition, lastTransitionTime: timestamp(nowMs) });
}
