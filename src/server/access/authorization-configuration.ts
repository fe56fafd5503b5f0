// AuthorizationConfiguration of apiserver.config.k8s.io: a chain of authorizers, validated with kube-apiserver's
// messages and paths, its match conditions compiled.

import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type FieldError, fieldError } from '../../api/errors.ts';
import { subdomainFaults } from '../../api/names.ts';
import { compileMatchCondition } from '../../auth/authz/match-conditions.ts';
import type { MatchCondition } from '../../auth/authz/webhook-authorizer.ts';
import { errorList } from '../../base/error-list.ts';
import { formatGoDuration } from '../../base/go-duration.ts';
import { ConfigurationError, type ConfigurationKind, decodeConfiguration } from '../configuration-file.ts';
import { AUTHORIZATION_MODES } from '../options/authorization.ts';
import { fieldErrorsText } from './field-errors-text.ts';

export interface AuthorizerSettings {
  readonly type: string;
  readonly name: string;
  /** For the type Webhook only. */
  readonly webhook?: WebhookSettings;
}

export interface WebhookSettings {
  readonly kubeconfig: string;
  readonly version: 'v1' | 'v1beta1';
  readonly timeoutMs: number;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly failsClosed: boolean;
  readonly conditions: readonly MatchCondition[];
}

interface DeclaredWebhook {
  readonly authorizedTTL?: number;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: number;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: number;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string };
  readonly matchConditions?: readonly { readonly expression?: string }[];
}

interface Declared {
  readonly authorizers?: readonly {
    readonly type?: string;
    readonly name?: string;
    readonly webhook?: DeclaredWebhook;
  }[];
}

const KIND: ConfigurationKind = {
  kind: 'AuthorizationConfiguration',
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  fields: {
    authorizers: {
      list: {
        name: 'AuthorizerConfiguration',
        fields: {
          type: 'string',
          name: 'string',
          webhook: {
            name: 'WebhookConfiguration',
            fields: {
              authorizedTTL: 'duration',
              cacheAuthorizedRequests: 'bool',
              unauthorizedTTL: 'duration',
              cacheUnauthorizedRequests: 'bool',
              timeout: 'duration',
              subjectAccessReviewVersion: 'string',
              matchConditionSubjectAccessReviewVersion: 'string',
              failurePolicy: 'string',
              connectionInfo: { name: 'WebhookConnectionInfo', fields: { type: 'string', kubeConfigFile: 'string' } },
              matchConditions: { list: { name: 'WebhookMatchCondition', fields: { expression: 'string' } } },
            },
          },
        },
      },
    },
  },
};

const MAX_TIMEOUT_MS = 30_000;
const MAX_CONDITIONS = 64;

/** @param required types that must be present @throws ConfigurationError */
export async function readAuthorizationConfiguration(
  text: string,
  required: readonly string[] = [],
): Promise<readonly AuthorizerSettings[]> {
  const declared = await decoded(text);
  const errors: FieldError[] = [];
  const settings = authorizersOf(declared, errors);
  if (errors.length > 0) throw new ConfigurationError(fieldErrorsText(errors));
  const faults = settings.flatMap(({ type, name }) =>
    type === 'Webhook' || name === type.toLowerCase()
      ? []
      : [`expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`],
  );
  const missing = required.filter((type) => !settings.some((each) => each.type === type)).sort();
  if (missing.length > 0) faults.push(`missing required types: [${missing.join(' ')}]`);
  if (faults.length > 0) throw new ConfigurationError(errorList(faults));
  return settings;
}

async function decoded(text: string): Promise<Declared> {
  if (text === '') return {};
  try {
    return (await decodeConfiguration(text, KIND)) as Declared;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const why = `failed to load AuthorizationConfiguration from file: ${error.message}`;
    throw new ConfigurationError(why, { cause: error });
  }
}

function authorizersOf({ authorizers = [] }: Declared, errors: FieldError[]): AuthorizerSettings[] {
  if (authorizers.length === 0) {
    errors.push(fieldError.required('authorizers', 'at least one authorization mode must be defined'));
  }
  const types = new Set<string>();
  const names = new Set<string>();
  return authorizers.flatMap(({ type = '', name = '', webhook }, index) => {
    const at = `authorizers[${index}]`;
    const fault = typeFault(type, `${at}.type`, types);
    if (fault !== undefined) {
      errors.push(fault);
      return [];
    }
    types.add(type);
    errors.push(...nameErrors(name, `${at}.name`, names));
    names.add(name);
    if (type !== 'Webhook') {
      if (webhook !== undefined) {
        errors.push(fieldError.invalid(`${at}.webhook`, 'non-null', 'may only be specified when type=Webhook'));
      }
      return [{ type, name }];
    }
    if (webhook === undefined) {
      errors.push(fieldError.required(`${at}.webhook`, 'required when type=Webhook'));
      return [];
    }
    return [{ type, name, webhook: webhookSettings(webhook, at, errors) }];
  });
}

function typeFault(type: string, at: string, seen: ReadonlySet<string>): FieldError | undefined {
  if (type === '') return fieldError.required(at);
  if (!AUTHORIZATION_MODES.includes(type)) return fieldError.notSupported(at, type, AUTHORIZATION_MODES);
  return seen.has(type) && type !== 'Webhook' ? fieldError.duplicate(at, type) : undefined;
}

function nameErrors(name: string, at: string, seen: ReadonlySet<string>): FieldError[] {
  if (name === '') return [fieldError.required(at)];
  if (seen.has(name)) return [fieldError.duplicate(at, name)];
  const faults = subdomainFaults(name);
  return faults.length === 0 ? [] : [fieldError.invalid(at, name, `authorizer name is invalid: ${faults.join(', ')}`)];
}

/** Default cache TTLs of decisions, as in Kubernetes. */
const AUTHORIZED_TTL_MS = 300_000;
const UNAUTHORIZED_TTL_MS = 30_000;

function webhookSettings(webhook: DeclaredWebhook, at: string, errors: FieldError[]): WebhookSettings {
  const { timeout = 0 } = webhook;
  // Absent and zero durations stand for the default.
  const authorizedTTL = webhook.authorizedTTL || AUTHORIZED_TTL_MS;
  const unauthorizedTTL = webhook.unauthorizedTTL || UNAUTHORIZED_TTL_MS;
  const { subjectAccessReviewVersion: version = '', failurePolicy = '' } = webhook;
  const check = new WebhookCheck(at, errors);
  check.duration('timeout', timeout, MAX_TIMEOUT_MS);
  check.duration('authorizedTTL', authorizedTTL);
  check.duration('unauthorizedTTL', unauthorizedTTL);
  check.oneOf('subjectAccessReviewVersion', version, ['v1', 'v1beta1']);
  const conditions = webhook.matchConditions ?? [];
  const conditionVersion = webhook.matchConditionSubjectAccessReviewVersion ?? '';
  const versionAt = `${at}.matchConditionSubjectAccessReviewVersion`;
  if (conditionVersion === '' && conditions.length > 0) {
    errors.push(fieldError.required(versionAt, 'required if match conditions are specified'));
  } else if (conditionVersion !== '' && conditionVersion !== 'v1') {
    errors.push(fieldError.notSupported(versionAt, conditionVersion, ['v1']));
  }
  check.oneOf('failurePolicy', failurePolicy, ['NoOpinion', 'Deny']);
  check.connection(webhook.connectionInfo ?? {});
  return {
    kubeconfig: webhook.connectionInfo?.kubeConfigFile ?? '',
    version: version === 'v1' ? 'v1' : 'v1beta1',
    timeoutMs: timeout,
    authorizedTtlMs: webhook.cacheAuthorizedRequests === false ? 0 : authorizedTTL,
    unauthorizedTtlMs: webhook.cacheUnauthorizedRequests === false ? 0 : unauthorizedTTL,
    failsClosed: failurePolicy === 'Deny',
    conditions: check.conditions(conditions.map(({ expression = '' }) => expression)),
  };
}

class WebhookCheck {
  readonly #at: string;
  readonly #errors: FieldError[];

  constructor(at: string, errors: FieldError[]) {
    this.#at = at;
    this.#errors = errors;
  }

  duration(name: string, ms: number, max = Number.POSITIVE_INFINITY): void {
    const at = `${this.#at}.${name}`;
    if (ms === 0) this.#errors.push(fieldError.required(at));
    else if (ms < 0 || ms > max) {
      const why = max === Number.POSITIVE_INFINITY ? 'must be > 0s' : `must be > 0s and <= ${formatGoDuration(max)}`;
      this.#errors.push(fieldError.invalid(at, formatGoDuration(ms), why));
    }
  }

  oneOf(name: string, value: string, supported: readonly string[]): void {
    const at = `${this.#at}.${name}`;
    if (value === '') this.#errors.push(fieldError.required(at));
    else if (!supported.includes(value)) this.#errors.push(fieldError.notSupported(at, value, supported));
  }

  connection({ type = '', kubeConfigFile: file = '' }: NonNullable<DeclaredWebhook['connectionInfo']>): void {
    const at = `${this.#at}.connectionInfo`;
    const fileAt = `${at}.kubeConfigFile`;
    if (type === '') this.#errors.push(fieldError.required(`${at}.type`));
    else if (type === 'InClusterConfig') {
      const why = file === '' ? 'InClusterConfig is not possible here' : 'can only be set when type=KubeConfigFile';
      this.#errors.push(
        file === '' ? fieldError.invalid(`${at}.type`, type, why) : fieldError.invalid(fileAt, file, why),
      );
    } else if (type !== 'KubeConfigFile') {
      const supported = ['InClusterConfig', 'KubeConfigFile'];
      const value = { Type: type, KubeConfigFile: file === '' ? null : file };
      this.#errors.push(fieldError.notSupported(`${at}.type`, value, supported));
    } else if (file === '') this.#errors.push(fieldError.required(fileAt));
    else if (!isAbsolute(file)) this.#errors.push(fieldError.invalid(fileAt, file, 'must be an absolute path'));
    else {
      const fault = fileFault(file);
      if (fault !== undefined) this.#errors.push(fieldError.invalid(fileAt, file, fault));
    }
  }

  conditions(expressions: readonly string[]): MatchCondition[] {
    const at = `${this.#at}.matchConditions`;
    if (expressions.length > MAX_CONDITIONS) {
      this.#errors.push(fieldError.tooMany(at, expressions.length, MAX_CONDITIONS));
      return [];
    }
    return expressions.flatMap((expression, index) => {
      const place = `${at}[${index}].expression`;
      if (expression.trim() === '') this.#errors.push(fieldError.required(place));
      else if (expressions.indexOf(expression) < index) this.#errors.push(fieldError.duplicate(place, expression));
      else {
        const compiled = compileMatchCondition(expression);
        if ('condition' in compiled) return [compiled.condition];
        this.#errors.push(fieldError.invalid(place, expression, compiled.fault));
      }
      return [];
    });
  }
}

function fileFault(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? undefined : 'must be a regular file';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `error loading file: stat ${path}: ${code === 'ENOENT' ? 'no such file or directory' : message}`;
  }
}
