// Counters of authentication attempts, looked up once because every request is counted.

import type { Counter, Histogram, MetricFamily } from './metrics.ts';

interface AuthenticationFamilies {
  readonly users: MetricFamily<'username', Counter>;
  readonly authentications: MetricFamily<'result', Counter>;
  readonly authenticationDuration: MetricFamily<'result', Histogram>;
}

export class AuthenticationSeries {
  readonly #good;
  readonly #bad;
  readonly #goodSeconds;
  readonly #badSeconds;
  readonly #users: Readonly<Record<'other' | 'email_id', { add(by?: number): void }>>;
  readonly #metrics: AuthenticationFamilies;

  constructor(metrics: AuthenticationFamilies) {
    this.#metrics = metrics;
    this.#good = metrics.authentications.with({ result: 'success' });
    this.#bad = metrics.authentications.with({ result: 'error' });
    this.#goodSeconds = metrics.authenticationDuration.with({ result: 'success' });
    this.#badSeconds = metrics.authenticationDuration.with({ result: 'error' });
    const user = (username: string) => metrics.users.with({ username });
    this.#users = { other: user('other'), email_id: user('email_id') };
  }

  /** @param seconds of authentication */
  known({ name }: { readonly name: string }, seconds: number): void {
    this.#good.add();
    this.#goodSeconds.observe(seconds);
    if (OWN_NAMES.has(name)) this.#metrics.users.with({ username: name }).add();
    else this.#users[name.includes('@') ? 'email_id' : 'other'].add();
  }

  refused(seconds: number): void {
    this.#bad.add();
    this.#badSeconds.observe(seconds);
  }
}

interface AuthorizationFamilies {
  readonly attempts: MetricFamily<'result', Counter>;
  readonly duration: MetricFamily<'result', Histogram>;
}

export class AuthorizationSeries {
  readonly #allowed;
  readonly #refused;
  readonly #failed;

  constructor({ attempts, duration }: AuthorizationFamilies) {
    const of = (result: string) => ({ attempts: attempts.with({ result }), duration: duration.with({ result }) });
    this.#allowed = of('allowed');
    this.#refused = of('no-opinion');
    this.#failed = of('error');
  }

  /** @param seconds of authorization */
  decided(
    { allowed, error }: { readonly allowed: boolean; readonly error?: string | undefined },
    seconds: number,
  ): void {
    const { attempts, duration } = allowed ? this.#allowed : error === undefined ? this.#refused : this.#failed;
    attempts.add();
    duration.observe(seconds);
  }
}

interface ImpersonationFamilies {
  readonly attempts: MetricFamily<'mode' | 'decision', Counter>;
  readonly attemptSeconds: MetricFamily<'mode' | 'decision', Histogram>;
  readonly questions: MetricFamily<'mode' | 'decision', Counter>;
  readonly questionSeconds: MetricFamily<'mode' | 'decision', Histogram>;
}

interface ImpersonationLabels {
  /** '' if no mode allowed the impersonation. */
  readonly mode: string;
  readonly decision: string;
}

/** Impersonations, and the questions to the authorizer that they took. */
export class ImpersonationSeries {
  readonly #families: ImpersonationFamilies;

  constructor(families: ImpersonationFamilies) {
    this.#families = families;
  }

  attempted(labels: ImpersonationLabels, seconds: number): void {
    this.#families.attempts.with({ ...labels }).add();
    this.#families.attemptSeconds.with({ ...labels }).observe(seconds);
  }

  asked(mode: string, allowed: boolean, seconds: number): void {
    const labels = { mode, decision: allowed ? 'allowed' : 'denied' };
    this.#families.questions.with(labels).add();
    this.#families.questionSeconds.with(labels).observe(seconds);
  }
}

/** Users that Kubernetes reports by name; of others it only reports whether they look like an email address. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);
