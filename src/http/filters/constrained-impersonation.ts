// Constrained impersonation (gate ConstrainedImpersonation, on by default from 1.36): rights to act as another user for
// some requests only. A request that impersonates needs two rights: for itself, with the verb `impersonate-on:MODE:VERB`,
// and for each attribute of the user, with the verb `impersonate:MODE`. The right to impersonate for every request, which
// is all there was before, still counts.

import { fieldErrorBody } from '../../api/errors.ts';
import { subdomainFaults } from '../../api/names.ts';
import type { AuthorizationAttributes, Authorizer } from '../../auth/authz/authorizer.ts';
import { refusal } from '../../auth/authz/refusal.ts';
import { type Impersonation, impersonatedUser } from '../../auth/impersonation.ts';
import { splitServiceAccount } from '../../auth/service-account.ts';
import { MASTERS, NODES, type User } from '../../auth/user.ts';
import { goQuote } from '../../base/go-quote.ts';
import { limits } from '../../base/limits.ts';
import { lookup } from '../../base/lookup.ts';
import { validateDomainPrefixedPath } from '../../resources/validation/hosts.ts';

const NODE_PREFIX = 'system:node:';
const NODE_NAME_KEY = 'authentication.kubernetes.io/node-name';
const NODE_KEYS = 'authentication.kubernetes.io/associated-node-keys';
/** From this number of groups or extra values on, the right to all of them is asked for first. */
const MANY = 4;
const AUTHENTICATION = { group: 'authentication.k8s.io', version: 'v1' };
const CORE = { group: '', version: 'v1' };

/** In the order in which they are tried. */
const MODES = ['associated-node', 'arbitrary-node', 'serviceaccount', 'user-info', 'legacy'] as const;

type ImpersonationMode = (typeof MODES)[number];

interface Attempt {
  readonly asked: Impersonation;
  /** Those of the request, made by the impersonating user. */
  readonly attributes: AuthorizationAttributes;
}

interface Impersonated {
  readonly user: User;
  readonly mode: ImpersonationMode;
  /** The verb of the rights that were used, for audit; '' if they hold for every request. */
  readonly constraint: string;
}

/** Receives each question to the authorizer. @param seconds it took */
type Observe = (mode: ImpersonationMode, allowed: boolean, seconds: number) => void;

export class ImpersonationModes {
  readonly #authorizer: Authorizer;
  readonly #observe: Observe;
  /** The last successful mode of each user, the latest last: it is tried first. */
  readonly #last = new Map<string, ImpersonationMode>();

  constructor(authorizer: Authorizer, observe: Observe) {
    this.#authorizer = authorizer;
    this.#observe = observe;
  }

  /**
   * The impersonated user and how the right to it was found.
   * @throws ApiError 403 of the first mode tried
   */
  async become(attempt: Attempt): Promise<Impersonated> {
    const requester = attempt.attributes.user.name;
    const last = this.#last.get(requester);
    const modes = last === undefined ? MODES : [last, ...MODES.filter((mode) => mode !== last)];
    let first: unknown;
    for (const mode of modes) {
      if (!APPLIES[mode](attempt)) continue;
      try {
        const impersonated = await this.#check(mode, attempt);
        this.#remember(requester, mode);
        return impersonated;
      } catch (error) {
        first ??= error;
      }
    }
    throw first;
  }

  #remember(requester: string, mode: ImpersonationMode): void {
    if (requester.length > limits.rememberedNameCharacters) return;
    this.#last.delete(requester);
    this.#last.set(requester, mode);
    const [oldest] = this.#last.keys();
    if (this.#last.size > limits.impersonatorsRemembered && oldest !== undefined) this.#last.delete(oldest);
  }

  async #check(mode: ImpersonationMode, { asked, attributes }: Attempt): Promise<Impersonated> {
    const isLegacy = mode === 'legacy';
    const requester = mode === 'associated-node' ? withoutNode(attributes.user) : attributes.user;
    const authorize = (named: Partial<AuthorizationAttributes>) =>
      this.#authorize(mode, { ...attributes, user: requester, ...named });
    if (!isLegacy) await authorize({ verb: `impersonate-on:${mode}:${attributes.verb}` });
    const constraint = isLegacy ? '' : `impersonate:${mode}`;
    const right: AuthorizationAttributes = {
      ...{ user: requester, verb: constraint || 'impersonate', isResourceRequest: true, path: '' },
      ...{ resource: '', subresource: '', namespace: '', name: '', ...(isLegacy ? CORE : AUTHENTICATION) },
    };
    const rights = { right, ask: (named: AuthorizationAttributes) => this.#authorize(mode, named), isLegacy };
    await rights.ask({ ...right, ...this.#nameOf(mode, asked.userName) });
    if (asked.uid !== '') await rights.ask({ ...right, ...AUTHENTICATION, resource: 'uids', name: asked.uid });
    await authorizeGroups(rights, asked.groups);
    await authorizeExtra(rights, asked.extra);
    const isNode = !isLegacy && nodeName(asked.userName) !== undefined;
    return { user: impersonatedUser(isNode ? { ...asked, groups: [NODES] } : asked), mode, constraint };
  }

  /** What the right to a username is asked for: a node, a service account or a user. */
  #nameOf(mode: ImpersonationMode, userName: string): Pick<AuthorizationAttributes, 'resource' | 'namespace' | 'name'> {
    const node = mode === 'legacy' ? undefined : nodeName(userName);
    // Which node it is follows from the requester.
    if (node !== undefined) {
      return { resource: 'nodes', namespace: '', name: mode === 'associated-node' ? '*' : node };
    }
    const account = splitServiceAccount(userName);
    if (account === undefined) return { resource: 'users', namespace: '', name: userName };
    return { resource: 'serviceaccounts', ...account };
  }

  async #authorize(mode: ImpersonationMode, attributes: AuthorizationAttributes): Promise<void> {
    const startMs = performance.now();
    const { allowed, reason, error } = await this.#authorizer.authorize(attributes);
    this.#observe(mode, allowed, (performance.now() - startMs) / 1000);
    if (allowed) return;
    throw refusal(attributes, [error, reason].filter((text) => text !== undefined && text !== '').join(': '));
  }
}

/** The message about a user without a name, as Go formats it. */
export function namelessUserText({ userName, uid, groups, extra }: Impersonation): string {
  const list = (texts: readonly string[]) => `[]string{${texts.map(goQuote).join(', ')}}`;
  const entries = Object.keys(extra)
    .sort()
    .map((key) => `${goQuote(key)}:${list(extra[key] ?? [])}`);
  const members = [
    `Name:${goQuote(userName)}`,
    `UID:${goQuote(uid)}`,
    `Groups:${groups.length === 0 ? '[]string(nil)' : list(groups)}`,
    `Extra:${entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`}`,
  ];
  return `requested &user.DefaultInfo{${members.join(', ')}} without impersonating a user name`;
}

interface Rights {
  readonly right: AuthorizationAttributes;
  readonly ask: (attributes: AuthorizationAttributes) => Promise<void>;
  readonly isLegacy: boolean;
}

async function authorizeGroups({ right, ask, isLegacy }: Rights, groups: readonly string[]): Promise<void> {
  if (groups.length === 0) return;
  const ofGroup = (name: string) => ({ ...right, resource: 'groups', name });
  if (!isLegacy) {
    if (groups.includes('')) throw refusal(ofGroup(''), 'impersonating the empty string group is not allowed');
    if (groups.includes(MASTERS)) {
      throw refusal(ofGroup(MASTERS), 'impersonating the system:masters group is not allowed');
    }
    if (groups.length >= MANY && (await isAllowed(ask(ofGroup('*'))))) return;
  }
  for (const name of groups) await ask(ofGroup(name));
}

async function authorizeExtra({ right, ask, isLegacy }: Rights, extra: Impersonation['extra']): Promise<void> {
  const entries = Object.entries(extra);
  if (entries.length === 0) return;
  const ofValue = (subresource: string, name: string) => ({
    ...{ ...right, ...AUTHENTICATION, resource: 'userextras' },
    ...{ subresource, name },
  });
  if (!isLegacy) {
    const fault = entries.map(([key, values]) => extraFault(key, values)).find((each) => each !== undefined);
    if (fault !== undefined) throw refusal(ofValue('', ''), fault);
    const isMany = entries.length >= MANY || entries.reduce((count, [, values]) => count + values.length, 0) >= MANY;
    if (isMany && (await isAllowed(ask(ofValue('*', '*'))))) return;
  }
  for (const [key, values] of entries) for (const value of values) await ask(ofValue(key, value));
}

/** Why constrained impersonation refuses an extra attribute; undefined if it does not. */
function extraFault(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  const [fault] = validateDomainPrefixedPath(key, 'extra.key');
  if (fault !== undefined) {
    return `impersonating an invalid key in extra is not allowed: ${fault.field}: ${fieldErrorBody(fault)}`;
  }
  if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
  if (values.length === 0) return 'impersonating empty values in extra is not allowed';
  return values.includes('') ? 'impersonating the empty string value in extra is not allowed' : undefined;
}

async function isAllowed(asking: Promise<void>): Promise<boolean> {
  return await asking.then(
    () => true,
    () => false,
  );
}

/** Whether a mode is for the user that is asked for. */
const APPLIES: Readonly<Record<ImpersonationMode, (attempt: Attempt) => boolean>> = lookup({
  'associated-node': ({ asked, attributes: { user } }: Attempt) => {
    const node = onlyName(asked) ? nodeName(asked.userName) : undefined;
    const own = Object.hasOwn(user.extra, NODE_NAME_KEY) ? user.extra[NODE_NAME_KEY] : undefined;
    if (node === undefined || splitServiceAccount(user.name) === undefined) return false;
    return own?.length === 1 && own[0] === node;
  },
  'arbitrary-node': ({ asked }: Attempt) => onlyName(asked) && nodeName(asked.userName) !== undefined,
  serviceaccount: ({ asked }: Attempt) => onlyName(asked) && splitServiceAccount(asked.userName) !== undefined,
  'user-info': ({ asked: { userName } }: Attempt) =>
    nodeName(userName) === undefined && splitServiceAccount(userName) === undefined,
  legacy: () => true,
});

function onlyName({ groups, uid, extra }: Impersonation): boolean {
  return groups.length === 0 && uid === '' && Object.keys(extra).length === 0;
}

function nodeName(userName: string): string | undefined {
  if (!userName.startsWith(NODE_PREFIX)) return undefined;
  const name = userName.slice(NODE_PREFIX.length);
  return subdomainFaults(name).length === 0 ? name : undefined;
}

/** A service account of a node as authorizers see it: the same on every node. */
function withoutNode(user: User): User {
  return { ...user, extra: { [NODE_KEYS]: Object.keys(user.extra).sort() } };
}
