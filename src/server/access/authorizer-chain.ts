// The chain of authorizers if it includes webhooks, a policy file or a configuration file, which is reloaded when it
// changes. Loaded only if an option asks for one of these.

import { hostname } from 'node:os';
import type { CallObserver } from '../../api/call-trace.ts';
import { AbacAuthorizer } from '../../auth/authz/abac.ts';
import type { AuthorizationAttributes, Authorizer } from '../../auth/authz/authorizer.ts';
import type { UserRules } from '../../auth/authz/rbac.ts';
import { type DecisionObserver, UnionAuthorizer } from '../../auth/authz/union-authorizer.ts';
import { WebhookAuthorizer, type WebhookAuthorizerObserver } from '../../auth/authz/webhook-authorizer.ts';
import type { User } from '../../auth/user.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import type { AuthorizationMetrics } from '../../lifecycle/authorization-metrics.ts';
import type { AuthMetrics } from '../../lifecycle/server-metrics.ts';
import type { Dial } from '../../outbound/dial.ts';
import { readKubeconfig } from '../../outbound/kubeconfig.ts';
import { CallRefused, KubeconfigClient } from '../../outbound/kubeconfig-client.ts';
import { WebhookQuestion } from '../../outbound/webhook-question.ts';
import { ConfigurationError } from '../configuration-file.ts';
import { serverIdHash } from '../encryption/server-id.ts';
import { readText } from '../files.ts';
import { authorizationModes } from '../options/authorization.ts';
import type { ServerOptions } from '../options.ts';
import {
  type AuthorizerSettings,
  readAuthorizationConfiguration,
  type WebhookSettings,
} from './authorization-configuration.ts';
import { FollowedFile } from './followed-file.ts';
import { type NamedAuthorizer, plainAuthorizer, unionOfRules } from './named-authorizer.ts';

interface AuthorizerChainNeeds {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly dial: Dial;
  readonly observeCall: CallObserver;
  readonly metrics: AuthMetrics;
  /** Authorizers that need nothing but the server; undefined for other types. */
  readonly own: (type: string) => NamedAuthorizer | undefined;
  readonly onDecision: (type: string, name: string) => DecisionObserver;
  /** The name that precedes the reasons of an authorizer; undefined if none does. */
  readonly toldName: (name: string) => string | undefined;
}

interface AuthorizerChain {
  readonly authorizer: Authorizer;
  readonly rulesFor: (user: User, namespace: string) => UserRules;
  stop(): void;
}

/** Timeout of the webhook of the mode Webhook, as in Kubernetes. */
const FLAG_TIMEOUT_MS = 30_000;
const UNTOLD = 'webhook authorizer does not support user rule resolution';

/** @throws Error for an unusable file, with kube-apiserver's message */
export async function loadAuthorizerChain(needs: AuthorizerChainNeeds): Promise<AuthorizerChain> {
  const { options, clock, log, metrics } = needs;
  const path = options.authorizationConfig;
  const text = path === undefined ? '' : readConfig(path);
  const settings = path === undefined ? settingsByFlags(options) : await readAuthorizationConfiguration(text);
  const types = [...new Set(settings.map(({ type }) => type))].filter((type) => type !== 'Webhook');
  const builder = new ChainBuilder(needs, metrics.webhooks());
  let current = await builder.build(settings, types).catch((error: unknown) => {
    throw new ConfigurationError(`invalid authorization config: ${(error as Error).message}`, { cause: error });
  });
  const file =
    path === undefined
      ? undefined
      : new FollowedFile({
          ...{ path, text, clock, log, serverIdHash: serverIdHash(hostname()) },
          subject: 'authorization',
          metrics: builder.metrics.configuration,
          apply: async (changed) => {
            const before = current;
            current = await builder.build(await readAuthorizationConfiguration(changed, types), types);
            before.stop();
          },
        });
  return {
    authorizer: { authorize: (attributes: AuthorizationAttributes) => current.union.authorize(attributes) },
    rulesFor: (user, namespace) => unionOfRules(current.members, user, namespace),
    stop: () => {
      file?.stop();
      current.stop();
    },
  };
}

function readConfig(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw new ConfigurationError((error as Error).message, { cause: error });
  }
}

/** @throws Error for an unknown version */
function settingsByFlags(options: ServerOptions): AuthorizerSettings[] {
  return authorizationModes(options).map((type) => {
    if (type !== 'Webhook') return { type, name: type.toLowerCase() };
    const version = options.authorizationWebhookVersion;
    if (version !== 'v1' && version !== 'v1beta1') {
      const supported = 'supported versions are "v1", "v1beta1"';
      throw new Error(
        `invalid authorization config: unsupported webhook authorizer version ${JSON.stringify(version)}, ${supported}`,
      );
    }
    const webhook: WebhookSettings = {
      version,
      kubeconfig: options.authorizationWebhookConfigFile ?? '',
      timeoutMs: FLAG_TIMEOUT_MS,
      authorizedTtlMs: options.authorizationWebhookCacheAuthorizedTtlMs,
      unauthorizedTtlMs: options.authorizationWebhookCacheUnauthorizedTtlMs,
      failsClosed: false,
      conditions: [],
    };
    return { type, name: 'default', webhook };
  });
}

interface BuiltChain {
  readonly union: UnionAuthorizer;
  readonly members: readonly NamedAuthorizer[];
  stop(): void;
}

class ChainBuilder {
  readonly metrics: AuthorizationMetrics;
  readonly #needs: AuthorizerChainNeeds;
  #abac: AbacAuthorizer | undefined;

  constructor(needs: AuthorizerChainNeeds, metrics: AuthorizationMetrics) {
    this.#needs = needs;
    this.metrics = metrics;
  }

  /** @param initial the types at startup: others cannot be added if they need a file or a connection */
  async build(settings: readonly AuthorizerSettings[], initial: readonly string[]): Promise<BuiltChain> {
    const stops: (() => void)[] = [];
    const members: (NamedAuthorizer & { name: string | undefined; onDecision: DecisionObserver })[] = [];
    for (const { type, name, webhook } of settings) {
      const { onDecision: observe, toldName } = this.#needs;
      const told = { name: toldName(name), onDecision: observe(type, name) };
      if (webhook === undefined) members.push({ ...(await this.#plain(type, initial)), ...told });
      else {
        const { member, stop } = await this.#webhook(name, webhook);
        stops.push(stop);
        members.push({ ...member, ...told });
      }
    }
    return { union: new UnionAuthorizer(members), members, stop: () => stops.forEach((stop) => void stop()) };
  }

  async #plain(type: string, initial: readonly string[]): Promise<NamedAuthorizer> {
    const always = plainAuthorizer(type);
    if (always !== undefined) return always;
    if (!initial.includes(type)) {
      throw new ConfigurationError(
        `authorizer type ${type} is not allowed if it was not enabled at initial server startup`,
      );
    }
    const own = this.#needs.own(type);
    if (own !== undefined) return own;
    const path = this.#needs.options.authorizationPolicyFile ?? '';
    this.#abac ??= await AbacAuthorizer.read(path, readText(path));
    const abac = this.#abac;
    return { authorizer: abac, rulesFor: (...of) => ({ rules: abac.rulesFor(...of), errors: [] }) };
  }

  async #webhook(name: string, settings: WebhookSettings): Promise<{ member: NamedAuthorizer; stop: () => void }> {
    const { clock, random, dial, observeCall } = this.#needs;
    const { version, timeoutMs } = settings;
    const target = await readKubeconfig(settings.kubeconfig, readText);
    const question = new WebhookQuestion({
      ...{ clock, random, timeoutMs, kind: 'SubjectAccessReview' },
      client: new KubeconfigClient({ target, dial, clock, observeCall }),
      apiVersion: `authorization.k8s.io/${version}`,
      onCall: (result, seconds) => {
        this.metrics.evaluations.with({ name, result }).add();
        this.metrics.seconds.with({ name, result }).observe(seconds);
      },
    });
    const authorizer = new WebhookAuthorizer({
      ...{ ...settings, clock },
      ask: (spec) => question.ask(spec),
      observer: this.#observer(name),
    });
    const rulesFor = () => ({ rules: [], errors: [UNTOLD], incomplete: true });
    return { member: { authorizer, rulesFor }, stop: () => question.close() };
  }

  #observer(name: string): WebhookAuthorizerObserver {
    const labels = { type: 'Webhook', name };
    const { conditionErrors, conditionExclusions, conditionSeconds, failOpen } = this.metrics;
    return {
      matched: (isMatch, faults, seconds) => {
        conditionSeconds.with(labels).observe(seconds);
        if (!isMatch) conditionExclusions.with(labels).add();
        else if (faults > 0) conditionErrors.with(labels).add();
      },
      failedOpen: (error) => {
        const isTimeout = error instanceof CallRefused && (error.isTimeout || error.status === 504);
        failOpen.with({ name, result: isTimeout ? 'timeout' : 'error' }).add();
      },
    };
  }
}
