// Pages below /debug with --profiling: profiles of the process under the paths of Go's net/http/pprof, and the log
// level, which can be changed. Profiles have V8's formats, .cpuprofile and .heapprofile, which browsers and editors
// open.

import { parseGoInteger } from '../../base/go-integer.ts';
import { limits } from '../../base/limits.ts';
import { readBytes } from '../body/body.ts';
import type { RequestContext } from '../request-context.ts';
import { type DebugTools, ProfileBusyError, type ProfileKind } from './debug-facts.ts';

const PROFILES = '/debug/pprof';
const FLAGS = '/debug/flags';
const HTML = 'text/html; charset=utf-8';
/** Default duration of a profile. */
const USUAL_SECONDS = 30;
/** Levels are signed 32-bit integers. */
const HIGHEST_LEVEL = 2 ** 31 - 1;

const KINDS: Readonly<Record<ProfileKind, { readonly about: string; readonly ending: string }>> = {
  allocs: { about: 'What was allocated while the profile was taken.', ending: 'heapprofile' },
  heap: { about: 'What was allocated while the profile was taken and is still in use.', ending: 'heapprofile' },
  profile: { about: 'Where processor time went while the profile was taken.', ending: 'cpuprofile' },
};

/** @returns whether the path is one of these pages and they are enabled */
export async function respondProfilePage(context: RequestContext, path: string): Promise<boolean> {
  const { tools } = context.services.debug;
  if (tools === undefined) return false;
  if (path === PROFILES) respondRedirect(context);
  else if (path.startsWith(`${PROFILES}/`)) await respondProfile(context, path.slice(PROFILES.length + 1), tools);
  else if (path === `${FLAGS}/v`) await respondLevel(context, tools);
  else if (path === FLAGS || path.startsWith(`${FLAGS}/`)) context.respond(200, context.headers(HTML), FLAGS_PAGE);
  else return false;
  return true;
}

function respondRedirect(context: RequestContext): void {
  const location = `${PROFILES}/`;
  const isRead = context.exchange.method === 'GET';
  const body = isRead ? `<a href="${location}">Found</a>.\n\n` : undefined;
  context.respond(302, { ...context.headers(isRead ? HTML : undefined), location }, body);
}

async function respondProfile(context: RequestContext, name: string, { profiles }: DebugTools): Promise<void> {
  context.forbidSniffing();
  if (name === '') return context.respond(200, context.headers(HTML), indexPage());
  if (!Object.hasOwn(KINDS, name)) return refuse(context, 404, 'Unknown profile');
  const kind = name as ProfileKind;
  const seconds = secondsOf(context.query.text('seconds'));
  if (seconds > limits.profileSeconds) {
    return refuse(context, 400, `profiles take at most ${limits.profileSeconds} seconds`);
  }
  const { exchange, services } = context;
  const end = AbortSignal.any([exchange.signal, services.draining]);
  try {
    const profile = await profiles.take(kind, { seconds, end });
    const disposition = `attachment; filename="${kind}.${KINDS[kind].ending}"`;
    context.respond(200, { ...context.headers('application/json'), 'content-disposition': disposition }, profile);
  } catch (error) {
    if (!(error instanceof ProfileBusyError)) throw error;
    refuse(context, 500, error.message);
  }
}

function refuse(context: RequestContext, status: number, reason: string): void {
  const headers = { ...context.headers('text/plain; charset=utf-8'), 'x-go-pprof': '1' };
  context.respond(status, headers, `${reason}\n`);
}

/** A value that is not a number of seconds counts as absent. */
function secondsOf(text: string): number {
  return /^\+?\d+$/.test(text) && Number(text) > 0 ? Number(text) : USUAL_SECONDS;
}

async function respondLevel(context: RequestContext, { levels }: DebugTools): Promise<void> {
  if (context.exchange.method !== 'PUT') return respondPlain(context, 406, 'unsupported http method');
  const text = (await readBytes(context)).toString();
  try {
    levels.verbosity = parseGoInteger(text, { unsigned: true, base: 10, max: HIGHEST_LEVEL });
    context.services.otherThreads?.changeOthers({ verbosity: levels.verbosity });
  } catch (error) {
    return respondPlain(context, 400, (error as Error).message);
  }
  context.services.log.info('the level of the log was changed', {
    verbosity: levels.verbosity,
    user: context.user.name,
  });
  respondPlain(context, 200, `successfully set klog.logging.verbosity to ${text}`);
}

/** Its media type has no charset. */
function respondPlain(context: RequestContext, status: number, text: string): void {
  context.forbidSniffing();
  context.respond(status, context.headers('text/plain'), `${text}\n`);
}

function indexPage(): string {
  const rows = Object.entries(KINDS).map(
    ([name, { about, ending }]) =>
      `<tr><td><a href='${name}'>${name}</a></td><td>${about}</td><td>.${ending}</td></tr>\n`,
  );
  return `<html>
<head><title>${PROFILES}/</title></head>
<body>
<h1>${PROFILES}/</h1>
<p>Profiles of V8, for a browser's developer tools, an editor or speedscope. <code>?seconds=N</code> says how long they
take: ${USUAL_SECONDS} by default, at most ${limits.profileSeconds}.</p>
<table>
${rows.join('')}</table>
</body>
</html>
`;
}

const FLAGS_PAGE = `<html>
<head><title>${FLAGS}/</title></head>
<body>
<p>Flags that can be changed with PUT:</p>
<ul><li>v: how much to log; larger is more</li></ul>
</body>
</html>
`;
