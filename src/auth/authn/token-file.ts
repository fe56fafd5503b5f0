// Static bearer tokens (--token-auth-file): CSV lines of token, username, UID and, quoted, groups. Tokens never appear
// in an error or a log.

import { hash } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import type { User } from '../user.ts';
import type { TokenAuthenticator } from './authenticator.ts';
import { CsvError, parseCsv } from './csv.ts';

/** A fixed set of tokens. */
export class StaticTokens implements TokenAuthenticator {
  readonly permanent = true;
  /** By digest, so that the duration of a lookup does not reveal anything about the token. */
  readonly #users: ReadonlyMap<string, User>;

  constructor(users: Iterable<readonly [token: string, user: User]>) {
    this.#users = new Map(Array.from(users, ([token, user]) => [digest(token), user]));
  }

  authenticateToken(token: string): User | undefined {
    return this.#users.get(digest(token));
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}

/** The tokens in a file's text. Throws an error that names the file if a line is invalid. */
export function loadTokenFile({ path, text, log }: { path: string; text: string; log: Log }): StaticTokens {
  try {
    return parseTokenFile(text, (warning) => log.warn(warning, { file: path }));
  } catch (error) {
    if (error instanceof CsvError) throw error;
    throw new Error(`token file '${path}' ${(error as Error).message}`, { cause: error });
  }
}

/**
 * The tokens in a token file's text. A line without a token is skipped and the last of equal tokens wins, both with a
 * warning, as in kube-apiserver. Throws if a line has fewer than three columns or is not CSV.
 * @internal
 */
export function parseTokenFile(text: string, warn: (message: string) => void): StaticTokens {
  const users = new Map<string, User>();
  for (const { line, fields } of parseCsv(text)) {
    const [token, name, uid, groups = ''] = fields;
    if (token === undefined || name === undefined || uid === undefined) {
      throw new Error(`must have at least 3 columns (token, user name, user uid), found ${fields.length}`);
    }
    if (token === '') {
      warn(`line ${line} has an empty token and is skipped`);
      continue;
    }
    if (users.has(token)) warn(`line ${line} repeats a token and replaces its earlier line`);
    users.set(token, { name, uid, groups: groups === '' ? [] : groups.split(','), extra: {} });
  }
  return new StaticTokens(users);
}
