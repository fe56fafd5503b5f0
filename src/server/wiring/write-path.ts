// The write path of a server: authorization and admission.

import { NO_CONFIGURATION, type PluginConfiguration } from '../../admission/plugin-configuration.ts';
import type { OutgoingCall } from '../../api/call-trace.ts';
import type { WebhookCaller } from '../../outbound/webhook-call.ts';
import type { WriteContext } from '../../verbs/write.ts';
import { type Authorization, authorization } from '../authorization.ts';
import { DeferredAdmission } from '../deferred-admission.ts';
import type { AdmissionManifests } from '../manifests/admission-manifests.ts';
import { chosenPlugins } from '../options/admission.ts';
import { webhookCaller } from '../webhooks.ts';
import type { WiringContext } from './context.ts';
import type { Foundation } from './foundation.ts';

export interface WritePath extends Pick<Authorization, 'authorizer' | 'rulesFor'> {
  readonly caller: WebhookCaller;
  readonly writes: WriteContext;
}

/** Creates the authorizers and the admission chain of a server. */
export async function makeWritePath(context: WiringContext, foundation: Foundation): Promise<WritePath> {
  const { options, environment, closing, askItself } = context;
  const { clock, random, log } = environment;
  const { catalog, registry, gates, objects, metrics, egress } = foundation;
  const observeCall = metrics.client.called;
  const shared = { options, catalog, registry, gates, metrics: metrics.auth, observeCall };
  const needs = { ...environment, ...shared, dial: egress.controlplane };
  const { authorizer, rbac, rulesFor, stop } = await authorization(needs);
  closing.defer(stop);
  const { tracing } = foundation;
  const traceCall = tracing && ((call: OutgoingCall) => tracing.calls(call));
  const caller = webhookCaller({ ...environment, egress, objects, askItself, traceCall, observeCall });
  closing.defer(() => caller.close());
  const configuration = await pluginConfiguration(context, foundation);
  const manifests = await admissionManifests(configuration, context, foundation);
  const admission = new DeferredAdmission({
    ...{ options, clock, random, log, catalog, registry, gates, objects, authorizer, rbac, caller },
    ...{ configuration, manifests },
    metrics: metrics.admission,
  });
  return { authorizer, rulesFor, caller, writes: { registry, admission } };
}

/** Plugins that require a configuration. */
const NEEDING = ['EventRateLimit', 'ImagePolicyWebhook'] as const;

/** Read at startup, although used later: an error in it prevents startup. */
async function pluginConfiguration(
  { options, environment }: WiringContext,
  { catalog, gates, metrics }: Foundation,
): Promise<PluginConfiguration> {
  const enabled = chosenPlugins(options);
  const path = options.admissionControlConfigFile;
  if (path === undefined && !NEEDING.some((name) => enabled.has(name))) return NO_CONFIGURATION;
  const { readPluginConfiguration } = await import('../plugin-configuration.ts');
  const release = { minor: catalog.minor, gates };
  const needs = { ...environment, observeCall: metrics.client.called, release };
  return await readPluginConfiguration(path, enabled, needs);
}

/** Also read at startup. */
async function admissionManifests(
  { manifestFolders = {} }: PluginConfiguration,
  { environment, closing }: WiringContext,
  { catalog, registry, gates, metrics }: Foundation,
): Promise<AdmissionManifests> {
  if (Object.keys(manifestFolders).length === 0) return {};
  const { followAdmissionManifests } = await import('../manifests/admission-manifests.ts');
  const needs = { ...environment, registry, gates, minor: catalog.minor, metrics: metrics.admission.manifests() };
  return await followAdmissionManifests(manifestFolders, needs, (stop) => closing.defer(stop));
}
