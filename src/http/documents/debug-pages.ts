// The pages /statusz and /flagz, which show the state of a running server to people (gates ComponentStatusz and
// ComponentFlagz). As in kube-apiserver, they are not meant for programs: the separator between names and values is
// random.

import { parseAccept } from '../../api/media-type.ts';
import type { Random } from '../../base/random.ts';
import type { RequestContext } from '../request-context.ts';
import { respondText } from './health.ts';

const DELIMITERS = [':', ': ', '=', ' '];
const WARNING =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';
const TYPE = 'text/plain; charset=utf-8';
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** First path segments that are omitted because they do not help with debugging. */
const NOT_LISTED: ReadonlySet<string> = new Set(['/apis', '/api', '/openid', '/openapi', '/.well-known']);

/** @returns whether the path is one of these pages and its gate is enabled */
export function respondDebugPage(context: RequestContext, path: string, paths: () => readonly string[]): boolean {
  const { gateEnabled } = context.services.writes.registry;
  const { flags } = context.services.debug;
  if (path === '/statusz' && gateEnabled('ComponentStatusz')) {
    respond(context, () => statusPage(context, paths()));
    return true;
  }
  if (path !== '/flagz' || flags === undefined || !gateEnabled('ComponentFlagz')) return false;
  respond(context, () => flagsPage(flags(), context.services.random));
  return true;
}

/** The paths of the enabled pages. */
export function debugPaths({ services }: Pick<RequestContext, 'services'>): string[] {
  const { gateEnabled } = services.writes.registry;
  return [
    ...(services.debug.flags !== undefined && gateEnabled('ComponentFlagz') ? ['/flagz'] : []),
    ...(gateEnabled('ComponentStatusz') ? ['/statusz'] : []),
  ];
}

function respond(context: RequestContext, page: () => string): void {
  if (acceptsText(context.exchange.headers.accept)) context.respond(200, context.headers(TYPE), page());
  else respondText(context, 406, 'media type not acceptable, must be: text/plain\n');
}

/** text/plain without parameters or with UTF-8. A request without Accept is rejected too: clients must ask for text. */
function acceptsText(accept = ''): boolean {
  return parseAccept(accept).some(({ type, subtype, parameters }) => {
    if ((type !== 'text' && type !== '*') || (subtype !== 'plain' && subtype !== '*')) return false;
    const { q: _quality, ...others } = Object.fromEntries(parameters);
    const names = Object.keys(others);
    return names.length === 0 || (names.length === 1 && others['charset']?.toLowerCase() === 'utf-8');
  });
}

function statusPage({ services }: RequestContext, paths: readonly string[]): string {
  const { version, clock, debug, random } = services;
  const delimiter = oneDelimiter(random);
  const folders = new Set(paths.map((path) => `/${path.split('/')[1]}`).filter((folder) => !NOT_LISTED.has(folder)));
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['Started', unixDate(debug.startedMs)],
    ['Up', upTime(clock.now() - debug.startedMs)],
    ['Go version', version.goVersion],
    ['Binary version', version.gitVersion.slice(1).split('+')[0]!],
    ['Emulation version', `1.${version.emulationMinor ?? version.minor}`],
    ['Paths', ` ${[...folders].sort().join(' ')}`],
  ];
  const lines = facts.map(([name, value]) => `${name}${delimiter} ${value}\n`);
  return `\napiserver statusz\n${WARNING}\n\n${lines.join('')}`;
}

function flagsPage(flags: ReadonlyMap<string, string>, random: Random): string {
  const delimiter = oneDelimiter(random);
  const sorted = [...flags].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([name, value]) => `${name}${delimiter}${value}\n`);
  return `\nkube-apiserver flags\n${WARNING}\n\n${lines.join('')}`;
}

function oneDelimiter(random: Random): string {
  return DELIMITERS[random.below(DELIMITERS.length)]!;
}

/** As the command date writes it: `Mon Nov 23 03:35:49 UTC 2026`. */
function unixDate(ms: number): string {
  const date = new Date(ms);
  const day = String(date.getUTCDate()).padStart(2, ' ');
  const time = date.toISOString().slice(11, 19);
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} UTC ${date.getUTCFullYear()}`;
}

function upTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`;
}
