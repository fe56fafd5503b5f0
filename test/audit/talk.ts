// One run of the recorded requests against a server, with its audit events normalised: values generated in each run
// become placeholders.

import { Buffer } from 'node:buffer';
import { Agent, request as startRequest } from 'node:https';
import type { JsonObject } from '../../src/api/object.ts';
import { patching, respond, type SeenReview, startWebhook, type WebhookAnswer } from '../webhook-server.ts';
import type { Step } from './step.ts';

export interface Conversation {
  readonly name: string;
  /** The server's audit policy. */
  readonly policy: string;
  /** @param webhook the address of a webhook, and its CA */
  readonly steps: (webhook: { readonly url: string; readonly caBundle: string }) => readonly Step[];
}

export interface Talk {
  readonly url: string;
  readonly adminToken: string;
  /** Called before a step that depends on an earlier write having taken effect. */
  readonly pause: () => Promise<void>;
  readonly steps: Conversation['steps'];
}

/** Sends all requests, one after another. @returns the status of each, by its name */
export async function talk({ url, adminToken, pause, steps }: Talk): Promise<Record<string, number>> {
  await using webhook = await startWebhook(answer);
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const statuses: Record<string, number> = {};
  try {
    for (const step of steps(webhook)) {
      if (step.name.endsWith('-pause')) await pause();
      else statuses[step.name] = await send(step, { url, adminToken, agent });
    }
  } finally {
    agent.destroy();
  }
  return statuses;
}

function answer(seen: SeenReview): WebhookAnswer {
  switch (seen.url.split(/[/?]/)[1]) {
    case 'label':
      return patching(seen, { op: 'add', path: '/metadata/labels', value: { by: 'webhook' } });
    case 'annotate':
      return {
        ...respond(seen, {
          allowed: true,
          patchType: 'JSONPatch',
          patch: Buffer.from(
            '[{"value":{"to":"<it>","by":"webhook"},"path":"/metadata/annotations","op":"add"}]',
          ).toString('base64'),
          auditAnnotations: { seen: 'yes' },
        }),
      };
    case 'annotations':
      return respond(seen, { allowed: true, auditAnnotations: { checked: 'yes', 'bad key': 'x', '': 'y' } });
    case 'deny':
      return respond(seen, {
        allowed: seen.review.request['name'] !== 'denied',
        auditAnnotations: { asked: String(seen.review.request['name']) },
        status: { message: 'not this one', code: 403, reason: 'Forbidden' },
      });
    case 'broken':
      return { status: 500, text: 'broken' };
    default:
      return respond(seen, { allowed: true });
  }
}

async function send(step: Step, to: { url: string; adminToken: string; agent: Agent }): Promise<number> {
  const { token = to.adminToken } = step;
  const body = await step.body;
  const bytes =
    body === undefined
      ? undefined
      : Buffer.isBuffer(body)
        ? body
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const headers: Record<string, string> = {
    accept: 'application/json',
    'audit-id': step.name,
    'user-agent': 'audited',
  };
  if (token !== '') headers['authorization'] = `Bearer ${token}`;
  if (bytes !== undefined) {
    headers['content-type'] = step.type ?? 'application/json';
    headers['content-length'] = String(step.isCut === true ? bytes.length + 1 : bytes.length);
  }
  return new Promise((resolve, reject) => {
    const options = { method: step.method ?? 'GET', agent: to.agent, headers: { ...headers, ...step.headers } };
    const request = startRequest(to.url + step.path, options, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', reject);
    });
    if (step.isCut !== true) {
      request.on('error', reject).end(bytes);
      return;
    }
    request.on('error', () => resolve(0)).write(bytes, () => request.destroy());
  });
}

/** Events by step, in order. */
export function eventsByStep(log: string): Record<string, JsonObject[]> {
  const events: Record<string, JsonObject[]> = {};
  for (const line of log.split('\n')) {
    if (line === '') continue;
    const event = JSON.parse(line) as JsonObject;
    const id = String(event['auditID']);
    if (!/^[0-9a-f]{8}-/.test(id)) (events[id] ??= []).push(comparable(event) as JsonObject);
  }
  return events;
}

/** Kinds that are not stored, but for which kube-apiserver still returns managed fields. */
const VIRTUAL_KINDS: readonly unknown[] = ['TokenRequest', 'SelfSubjectAccessReview'];
const VIRTUAL = 'metadata of what is not stored';

function isVirtual({ kind }: JsonObject): boolean {
  return VIRTUAL_KINDS.includes(kind);
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function comparable(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return text(value, key);
  if (Array.isArray(value)) return value.map((each) => comparable(each, key === 'columnDefinitions' ? key : ''));
  if (typeof value !== 'object' || value === null) return value;
  const out: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    if (name === 'description' && key === 'columnDefinitions') continue;
    if (name === 'caBundle' || (name === 'managedFields' && key === VIRTUAL)) continue;
    out[name] = comparable(each, name === 'metadata' && isVirtual(value as JsonObject) ? VIRTUAL : name);
  }
  return out;
}

function text(value: string, key: string): string {
  if (key === 'resourceVersion' && value !== '0' && value !== '1') return '<version>';
  if (key === 'token') return '<token>';
  if (/^\d+m?s$/.test(value)) return '<age>';
  return value
    .replace(TIME, '<time>')
    .replace(UUID, '<uuid>')
    .replace(/\b\d+\.\d+\.\d+\.\d+:\d+/g, '<address>')
    .replace(/made-[a-z0-9]{5}/g, 'made-<name>')
    .replace(/sha256:[0-9a-f]+|[0-9a-f]{64}/g, '<hash>');
}
