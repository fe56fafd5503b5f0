// Audit events of requests in the handler chain: collects from a request what its event contains.

import type { Buffer } from 'node:buffer';
import { ApiError } from '../../api/errors.ts';
import { parseJson } from '../../api/json-reader.ts';
import type { AuditedRequest, RequestAudit } from '../../audit/request-audit.ts';
import type { User } from '../../auth/user.ts';
import { limits } from '../../base/limits.ts';
import type { Soon } from '../../base/soon.ts';
import { formatIp, parseIp } from '../../resources/validation/ip-addresses.ts';
import { firstHeader, headerText } from '../exchange/header-texts.ts';
import type { HttpExchange } from '../exchange/transport.ts';
import type { RequestContext } from '../request-context.ts';
import { selectedName } from './authorize.ts';
import { isLongRunning } from './deadlines.ts';
import { respondInternalServerError } from './internal-server-error.ts';

/** Begins the event of an authenticated request. Responds to requests that must not continue without it. */
export function beginAudit(context: RequestContext): Soon<void> {
  const { auditor } = context.services;
  if (auditor === undefined) return;
  const audit = auditor.begin(auditedRequest(context, context.user));
  if (audit === undefined) return;
  context.recordsIn(audit);
  for (const [key, value] of context.credentialNotes ?? []) audit.annotate(key, value);
  if (!auditor.holdsRequests) return audit.received();
  return new Promise((resolve) => {
    audit.received((stored) => {
      if (!stored && auditor.isStrict) refuse(context);
      resolve();
    });
  });
}

/** Begins the event of a request that failed authentication. @throws the given error */
export function beginRefusedAudit(context: RequestContext, error: unknown): never {
  const { auditor } = context.services;
  if (auditor !== undefined && error instanceof ApiError) {
    context.recordsIn(auditor.begin({ ...auditedRequest(context, undefined), isRefused: true }));
  }
  throw error;
}

function refuse(context: RequestContext): void {
  context.services.auditor?.rejected();
  context.recordsIn(undefined);
  respondInternalServerError(context, 'failed to store audit event');
}

function auditedRequest(context: RequestContext, user: User | undefined): AuditedRequest {
  const { exchange, info, auditId, startMs } = context;
  const { isResource, verb, path, group, version, resource, subresource, namespace } = info;
  const name = selectedName(context);
  return {
    auditId,
    requestUri: exchange.target,
    attributes: { user, verb, isResource, path, group, version, resource, subresource, namespace, name },
    userAgent: shortUserAgent(exchange.headers['user-agent'] ?? ''),
    sourceIps: sourceIps(exchange),
    receivedMs: startMs,
    isLongRunning: isLongRunning(info),
  };
}

const USER_AGENT_MARK = '...TRUNCATED';

/** The User-Agent. Header values have one character for each byte. */
function shortUserAgent(header: string): string {
  const longest = limits.auditUserAgentBytes;
  return header.length > longest ? headerText(header.slice(0, longest)) + USER_AGENT_MARK : headerText(header);
}

/** Source addresses of a request: those reported by proxies, the nearest last, and the peer of the connection. */
function sourceIps(exchange: HttpExchange): string[] {
  const peer = plainAddress(exchange.remoteAddress);
  const forwarded = firstHeader(exchange, 'x-forwarded-for');
  const real = firstHeader(exchange, 'x-real-ip');
  if (forwarded === undefined && real === undefined) return peer === '' ? [] : [peer];
  const found: string[] = [];
  for (const part of forwarded?.split(',') ?? []) addAddress(found, part.trim());
  if (real !== undefined && !found.includes(real)) addAddress(found, real);
  if (peer !== '' && found.at(-1) !== peer) found.push(peer);
  return found;
}

/** In Go's canonical form, regardless of how proxies wrote it. */
function addAddress(addresses: string[], text: string): void {
  const address = parseIp(text);
  if (address !== undefined) addresses.push(formatIp(address));
}

/** An IPv4-mapped IPv6 address is not converted. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** Records a response object given as JSON bytes. */
export function auditBytes(audit: RequestAudit, bytes: Buffer): void {
  const json = bytes.toString();
  if (audit.omitsManagedFields) audit.answersObject(parseJson(json));
  else audit.answersText(json);
}
