// AuthenticationConfiguration of apiserver.config.k8s.io: its issuers and anonymous access, validated with
// kube-apiserver's messages and paths, its CEL expressions compiled.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { compileClaimExpression, readsClaim } from '../../auth/authn/jwt/claim-expressions.ts';
import type {
  ClaimSource,
  CompiledClaimExpression,
  JwtIssuerSettings,
  ValidationRule,
} from '../../auth/authn/jwt/jwt-issuer-settings.ts';
import { withoutTrailing } from '../../base/without-trailing.ts';
import type { CheckedExpression } from '../../cel/check/checked-expression.ts';
import { parseUrl } from '../../cel/library/url.ts';
import type { FeatureGateName } from '../../lifecycle/feature-gate-table.ts';
import { validateDomainPrefixedPath } from '../../resources/validation/hosts.ts';
import { certificatesFault } from '../certificates-fault.ts';
import { decodeConfiguration } from '../configuration-file.ts';
import { AUTHENTICATION_CONFIGURATION } from './authentication-shape.ts';

export interface DeclaredAuthentication {
  readonly jwt?: readonly DeclaredIssuer[];
  readonly anonymous?: DeclaredAnonymous;
}

interface DeclaredAnonymous {
  readonly enabled?: boolean;
  readonly conditions?: readonly { readonly path?: string }[];
}

export interface DeclaredIssuer {
  readonly issuer?: {
    readonly url?: string;
    readonly discoveryURL?: string;
    readonly certificateAuthority?: string;
    readonly audiences?: readonly string[];
    readonly audienceMatchPolicy?: string;
    readonly egressSelectorType?: string;
  };
  readonly claimValidationRules?: readonly DeclaredClaimRule[];
  readonly claimMappings?: {
    readonly username?: DeclaredSource;
    readonly groups?: DeclaredSource;
    readonly uid?: DeclaredSource;
    readonly extra?: readonly { readonly key?: string; readonly valueExpression?: string }[];
  };
  readonly userValidationRules?: readonly { readonly expression?: string; readonly message?: string }[];
}

interface DeclaredSource {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}

interface DeclaredClaimRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

/** @throws ConfigurationError */
export async function readAuthenticationConfiguration(text: string): Promise<DeclaredAuthentication> {
  return (await decodeConfiguration(text, AUTHENTICATION_CONFIGURATION)) as DeclaredAuthentication;
}

const MAX_ISSUERS = 64;
const EGRESS_GATE = 'StructuredAuthenticationConfigurationEgressSelector';

interface ValidatedAuthentication {
  readonly issuers: readonly JwtIssuerSettings[];
  readonly errors: readonly FieldError[];
}

/** The issuers in their final form, if there are no errors. */
export function validateAuthentication(
  { jwt = [], anonymous }: DeclaredAuthentication,
  signingAlgorithms: readonly string[],
  gateEnabled: (gate: FeatureGateName) => boolean,
): ValidatedAuthentication {
  if (jwt.length > MAX_ISSUERS) return { issuers: [], errors: [fieldError.tooMany('jwt', jwt.length, MAX_ISSUERS)] };
  const isEgressSelectable = gateEnabled('StructuredAuthenticationConfigurationEgressSelector');
  const errors: FieldError[] = [];
  const urls = new Set<string>();
  const discoveryUrls = new Set<string>();
  const issuers = jwt.map((declared, index) => {
    const at = `jwt[${index}]`;
    const validation = new IssuerValidation(declared, at, errors);
    const settings = validation.settings(signingAlgorithms, isEgressSelectable);
    const { url = '', discoveryURL = '' } = declared.issuer ?? {};
    if (urls.has(url)) errors.push(fieldError.duplicate(`${at}.issuer.url`, url));
    urls.add(url);
    if (discoveryURL !== '') {
      if (discoveryUrls.has(discoveryURL)) {
        errors.push(fieldError.duplicate(`${at}.issuer.discoveryURL`, discoveryURL));
      }
      discoveryUrls.add(discoveryURL);
    }
    return settings;
  });
  if (anonymous !== undefined && !gateEnabled('AnonymousAuthConfigurableEndpoints')) {
    const why = 'anonymous is not supported when AnonymousAuthConfigurableEnpoints feature gate is disabled';
    errors.push(fieldError.forbidden('anonymous', why));
  }
  if (anonymous !== undefined && anonymous.enabled !== true && (anonymous.conditions ?? []).length > 0) {
    const conditions = (anonymous.conditions ?? []).map(({ path = '' }) => ({ Path: path }));
    const why = 'enabled should be set to true when conditions are defined';
    errors.push(fieldError.invalid('anonymous.conditions', conditions, why));
  }
  return { issuers, errors };
}

/**
 * An issuer that also issues our own service account tokens, which kube-apiserver reports without the issuer's path.
 */
export function overlapErrors(issuers: readonly JwtIssuerSettings[], disallowed: readonly string[]): FieldError[] {
  const list = [...disallowed].sort();
  return issuers
    .filter(({ url }) => disallowed.includes(url))
    .map(({ url }) =>
      fieldError.invalid('issuer.url', url, `URL must not overlap with disallowed issuers: [${list.join(' ')}]`),
    );
}

class IssuerValidation {
  readonly #declared: DeclaredIssuer;
  readonly #at: string;
  readonly #errors: FieldError[];
  readonly #compiledClaims: CheckedExpression[] = [];

  constructor(declared: DeclaredIssuer, at: string, errors: FieldError[]) {
    this.#declared = declared;
    this.#at = at;
    this.#errors = errors;
  }

  settings(signingAlgorithms: readonly string[], isEgressSelectable: boolean): JwtIssuerSettings {
    const { url = '', discoveryURL = '', certificateAuthority = '', audiences = [] } = this.#declared.issuer ?? {};
    this.#checkIssuer();
    this.#checkEgress(isEgressSelectable);
    const { requiredClaims, claimRules } = this.#claimRules();
    return {
      ...{ url, audiences, signingAlgorithms, requiredClaims, claimRules },
      discoveryUrl: discoveryURL,
      egressSelectorType: this.#declared.issuer?.egressSelectorType,
      certificateAuthority: certificateAuthority === '' ? undefined : certificateAuthority,
      ...this.#mappings(),
      userRules: this.#userRules(),
    };
  }

  #checkIssuer(): void {
    const at = `${this.#at}.issuer`;
    const { url = '', discoveryURL = '', certificateAuthority = '' } = this.#declared.issuer ?? {};
    if (url === '') this.#errors.push(fieldError.required(`${at}.url`));
    else this.#checkUrl(url, `${at}.url`);
    if (discoveryURL !== '') {
      if (url !== '' && withoutTrailing(url, '/') === withoutTrailing(discoveryURL, '/')) {
        const why = 'discoveryURL must be different from URL';
        this.#errors.push(fieldError.invalid(`${at}.discoveryURL`, discoveryURL, why));
      }
      this.#checkUrl(discoveryURL, `${at}.discoveryURL`);
    }
    this.#checkAudiences(at);
    const caFault = certificateAuthority === '' ? undefined : certificatesFault(certificateAuthority);
    if (caFault !== undefined) {
      this.#errors.push(fieldError.invalid(`${at}.certificateAuthority`, '<omitted>', caFault));
    }
  }

  #checkEgress(isSelectable: boolean): void {
    const { egressSelectorType: type = '' } = this.#declared.issuer ?? {};
    if (type === '') return;
    const bad = (why: string) =>
      this.#errors.push(fieldError.invalid(`${this.#at}.issuer.egressSelectorType`, type, why));
    if (!isSelectable) bad(`egress selector is not supported when ${EGRESS_GATE} feature gate is disabled`);
    if (type !== 'controlplane' && type !== 'cluster') bad('egress selector must be either controlplane or cluster');
  }

  #checkUrl(text: string, at: string): void {
    const bad = (why: string) => this.#errors.push(fieldError.invalid(at, text, why));
    const fault = parseUrl(text);
    if (typeof fault === 'string') return void bad(fault);
    const [beforeFragment = '', fragment = ''] = text.split('#', 2);
    const [, query = ''] = beforeFragment.split('?', 2);
    const [, authority = ''] = /^[^/]*\/\/([^/?#]*)/.exec(text) ?? [];
    if (!/^https:/i.test(text)) bad('URL scheme must be https');
    if (authority.includes('@')) bad('URL must not contain a username or password');
    if (query !== '') bad('URL must not contain a query');
    if (fragment !== '') bad('URL must not contain a fragment');
  }

  #checkAudiences(issuer: string): void {
    const at = `${issuer}.audiences`;
    const { audiences = [], audienceMatchPolicy: policy = '' } = this.#declared.issuer ?? {};
    if (audiences.length === 0) {
      this.#errors.push(fieldError.required(at, `at least one ${at} is required`));
      return;
    }
    for (const [index, audience] of audiences.entries()) {
      if (audience === '') this.#errors.push(fieldError.required(`${at}[${index}]`));
      if (audiences.indexOf(audience) < index) this.#errors.push(fieldError.duplicate(`${at}[${index}]`, audience));
    }
    if (policy === 'MatchAny' || (policy === '' && audiences.length === 1)) return;
    const why =
      audiences.length > 1
        ? 'audienceMatchPolicy must be MatchAny for multiple audiences'
        : 'audienceMatchPolicy must be empty or MatchAny for single audience';
    this.#errors.push(fieldError.invalid(`${issuer}.audienceMatchPolicy`, policy, why));
  }

  #claimRules(): Pick<JwtIssuerSettings, 'requiredClaims' | 'claimRules'> {
    const requiredClaims: [string, string][] = [];
    const claimRules: ValidationRule[] = [];
    const seen = new Set<string>();
    for (const [index, rule] of (this.#declared.claimValidationRules ?? []).entries()) {
      const at = `${this.#at}.claimValidationRules[${index}]`;
      const { claim = '', requiredValue = '', expression = '', message = '' } = rule;
      if (claim !== '' && expression !== '') {
        this.#errors.push(fieldError.invalid(at, claim, "claim and expression can't both be set"));
      } else if (claim === '' && expression === '') {
        this.#errors.push(fieldError.required(at, 'claim or expression is required'));
      } else if (claim !== '') {
        if (message !== '') {
          const why = 'may not be specified when claim is set';
          this.#errors.push(fieldError.invalid(`${at}.message`, message, why));
        }
        if (seen.has(`claim ${claim}`)) this.#errors.push(fieldError.duplicate(`${at}.claim`, claim));
        seen.add(`claim ${claim}`);
        requiredClaims.push([claim, requiredValue]);
      } else {
        if (requiredValue !== '') {
          const why = 'may not be specified when expression is set';
          this.#errors.push(fieldError.invalid(`${at}.requiredValue`, requiredValue, why));
        }
        if (!this.#isNew(expression, `${at}.expression`, seen)) continue;
        const compiled = this.#claims(expression, `${at}.expression`, { isCondition: true });
        if (compiled !== undefined) claimRules.push({ ...compiled, message });
      }
    }
    return { requiredClaims, claimRules };
  }

  #userRules(): readonly ValidationRule[] {
    const seen = new Set<string>();
    return (this.#declared.userValidationRules ?? []).flatMap(({ expression = '', message = '' }, index) => {
      const at = `${this.#at}.userValidationRules[${index}].expression`;
      if (expression === '') {
        this.#errors.push(fieldError.required(at));
        return [];
      }
      if (!this.#isNew(expression, at, seen)) return [];
      const compiled = compileClaimExpression(expression, { subject: 'user', isCondition: true });
      if (compiled.fault === undefined) return [{ ...compiled, message }];
      this.#errors.push(fieldError.invalid(at, expression, compiled.fault));
      return [];
    });
  }

  /** @returns whether no earlier expression has the same text */
  #isNew(expression: string, at: string, seen: Set<string>): boolean {
    if (seen.has(expression)) this.#errors.push(fieldError.duplicate(at, expression));
    const isNew = !seen.has(expression);
    seen.add(expression);
    return isNew;
  }

  #mappings(): Pick<JwtIssuerSettings, 'username' | 'groups' | 'uid' | 'extra'> {
    const at = `${this.#at}.claimMappings`;
    const { username = {}, groups = {}, uid = {} } = this.#declared.claimMappings ?? {};
    const name = this.#prefixed(username, `${at}.username`, true);
    const usesEmail = this.#compiledClaims.at(-1);
    const namedByEmail =
      name !== undefined && 'expression' in name && usesEmail !== undefined && readsClaim(usesEmail, 'email');
    const groupSource = this.#prefixed(groups, `${at}.groups`, false);
    const uidSource = this.#uid(uid, `${at}.uid`);
    const extra = this.#extra(`${at}.extra`);
    if (namedByEmail && !this.#compiledClaims.some((each) => readsClaim(each, 'email_verified'))) {
      const why =
        'claims.email_verified must be used in claimMappings.username.expression or ' +
        'claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in ' +
        'claimMappings.username.expression';
      this.#errors.push(fieldError.invalid(`${at}.username.expression`, username.expression, why));
    }
    return { username: name ?? { claim: '', prefix: '' }, groups: groupSource, uid: uidSource, extra };
  }

  /** The username is required, and its expression counts as a use of claims.email_verified. */
  #prefixed(source: DeclaredSource, at: string, isUsername: boolean): ClaimSource | undefined {
    const { claim = '', prefix, expression = '' } = source;
    if (claim !== '' && expression !== '') {
      this.#errors.push(fieldError.invalid(at, '', "claim and expression can't both be set"));
    } else if (expression !== '') {
      if (prefix !== undefined) {
        const why = 'may not be specified when expression is set';
        this.#errors.push(fieldError.invalid(`${at}.prefix`, prefix, why));
      }
      const compiled = this.#claims(expression, `${at}.expression`, { counts: isUsername });
      return compiled === undefined ? undefined : { expression: compiled };
    } else if (claim !== '') {
      if (prefix === undefined) {
        const why = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
        this.#errors.push(fieldError.required(`${at}.prefix`, why));
      }
      return { claim, prefix: prefix ?? '' };
    } else if (isUsername) {
      this.#errors.push(fieldError.required(at, 'claim or expression is required'));
    }
    return undefined;
  }

  #uid({ claim = '', expression = '' }: DeclaredSource, at: string): ClaimSource | undefined {
    if (claim !== '' && expression !== '') {
      this.#errors.push(fieldError.invalid(at, '', "claim and expression can't both be set"));
      return undefined;
    }
    if (claim !== '') return { claim, prefix: '' };
    if (expression === '') return undefined;
    const compiled = this.#claims(expression, `${at}.expression`, { counts: false });
    return compiled === undefined ? undefined : { expression: compiled };
  }

  #extra(at: string): JwtIssuerSettings['extra'] {
    const seen = new Set<string>();
    return (this.#declared.claimMappings?.extra ?? []).flatMap(({ key = '', valueExpression = '' }, index) => {
      const keyAt = `${at}[${index}].key`;
      this.#errors.push(...validateDomainPrefixedPath(key, keyAt));
      if (key !== key.toLowerCase()) this.#errors.push(fieldError.invalid(keyAt, key, 'must be lowercase'));
      if (/(^|\.)(kubernetes|k8s)\.io$/.test(key.includes('/') ? key.slice(0, key.indexOf('/')) : '')) {
        const why = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';
        this.#errors.push(fieldError.invalid(keyAt, key, why));
      }
      if (seen.has(key)) {
        this.#errors.push(fieldError.duplicate(keyAt, key));
        return [];
      }
      seen.add(key);
      const valueAt = `${at}[${index}].valueExpression`;
      if (valueExpression === '') {
        this.#errors.push(fieldError.required(valueAt));
        return [];
      }
      const expression = this.#claims(valueExpression, valueAt);
      return expression === undefined ? [] : [{ key, expression }];
    });
  }

  #claims(
    text: string,
    at: string,
    { isCondition = false, counts = true }: { isCondition?: boolean; counts?: boolean } = {},
  ): CompiledClaimExpression | undefined {
    const compiled = compileClaimExpression(text, { subject: 'claims', isCondition });
    if (compiled.fault !== undefined) {
      this.#errors.push(fieldError.invalid(at, text, compiled.fault));
      return undefined;
    }
    if (counts) this.#compiledClaims.push(compiled.checked);
    return compiled;
  }
}
