// The pages /statusz and /flagz, which show the state of a running server (gates ComponentStatusz and ComponentFlagz).
// As in kube-apiserver, their text is not meant for programs: the separator between names and values is random.

import { parseAccept } from '../../api/media-type.ts';
import type { JsonObject } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { Random } from '../../base/random.ts';
import { isSince, type VersionDocument } from '../../lifecycle/version.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestServices } from '../request-services.ts';
import { respondDebugObject } from './debug-objects.ts';
import { respondText } from './health.ts';

const DELIMITERS = [':', ': ', '=', ' '];
const WARNING =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';
const TYPE = 'text/plain; charset=utf-8';
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** First path segments that are omitted because they do not help with debugging. */
const NOT_LISTED: ReadonlySet<string> = new Set(['/apis', '/api', '/openid', '/openapi', '/.well-known']);

/** The first release in which programs get objects, and clients that do not say what they accept get text. */
const WITH_OBJECTS = 36;

/** @returns whether the path is one of these pages and its gate is enabled */
export async function respondDebugPage(
  context: RequestContext,
  path: string,
  paths: () => readonly string[],
): Promise<boolean> {
  const { gateEnabled } = context.services.writes.registry;
  const { flags } = context.services.debug;
  if (path === '/statusz' && gateEnabled('ComponentStatusz')) {
    await respond(context, {
      kind: 'Statusz',
      object: () => statusOf(context, paths()),
      text: () => statusPage(context, paths()),
    });
    return true;
  }
  if (path !== '/flagz' || flags === undefined || !gateEnabled('ComponentFlagz')) return false;
  await respond(context, {
    kind: 'Flagz',
    object: () => ({ flags: Object.fromEntries(sortedFlags(flags())) }),
    text: () => flagsPage(flags(), context.services),
  });
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

interface Page {
  readonly kind: 'Statusz' | 'Flagz';
  readonly object: () => JsonObject;
  readonly text: () => string;
}

async function respond(context: RequestContext, { kind, object, text }: Page): Promise<void> {
  const sendText = () => context.respond(200, context.headers(TYPE), text());
  if (hasObjects(context.services)) {
    if (!(await respondDebugObject(context, kind, object))) sendText();
    return;
  }
  if (acceptsText(context.exchange.headers.accept)) sendText();
  else respondText(context, 406, 'media type not acceptable, must be: text/plain\n');
}

function hasObjects({ version }: RequestServices): boolean {
  return isSince({ minor: Number(version.minor) }, WITH_OBJECTS);
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
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['Started', unixDate(debug.startedMs)],
    ['Up', upTime(clock.now() - debug.startedMs)],
    ['Go version', version.goVersion],
    ['Binary version', binaryVersion(version)],
    ['Emulation version', emulationVersion(version)],
    ['Paths', ` ${folders(paths).join(' ')}`],
  ];
  const lines = facts.map(([name, value]) => `${name}${delimiter} ${value}\n`);
  return `\napiserver statusz\n${WARNING}\n\n${lines.join('')}`;
}

function statusOf({ services }: RequestContext, paths: readonly string[]): JsonObject {
  const { version, clock, debug } = services;
  return {
    startTime: timestamp(debug.startedMs),
    uptimeSeconds: Math.floor((clock.now() - debug.startedMs) / 1000),
    goVersion: version.goVersion,
    binaryVersion: binaryVersion(version),
    emulationVersion: emulationVersion(version),
    paths: folders(paths),
  };
}

function binaryVersion({ gitVersion }: VersionDocument): string {
  return gitVersion.slice(1).split('+')[0]!;
}

function emulationVersion({ emulationMinor, minor }: VersionDocument): string {
  return `1.${emulationMinor ?? minor}`;
}

/** First segments of paths, sorted. */
function folders(paths: readonly string[]): string[] {
  const all = new Set(paths.map((path) => `/${path.split('/')[1]}`));
  return [...all].filter((folder) => !NOT_LISTED.has(folder)).sort();
}

function flagsPage(flags: ReadonlyMap<string, string>, services: RequestServices): string {
  const delimiter = oneDelimiter(services.random);
  const lines = sortedFlags(flags).map(([name, value]) => `${name}${delimiter}${value}\n`);
  const title = hasObjects(services) ? 'apiserver flagz' : 'kube-apiserver flags';
  // Since then, the lines follow the warning at once.
  return `\n${title}\n${WARNING}\n${hasObjects(services) ? '' : '\n'}${lines.join('')}`;
}

function sortedFlags(flags: ReadonlyMap<string, string>): (readonly [name: string, value: string])[] {
  return [...flags].sort(([one], [other]) => (one < other ? -1 : 1));
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
