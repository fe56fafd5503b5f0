// Workloads that run to completion.

import type { ResourceDefinition } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { CLAIM_TEMPLATE_GATES } from '../core/persistent-volume-claim/gates.ts';
import { dropGatedOf, dropGatedOfTemplate } from '../core/pod/gated-fields.ts';
import { cronJobDefaults, jobDefaults } from './defaults.ts';
import { cronJobRules, jobRules } from './rules.ts';
import { jobStrategy } from './strategy.ts';
import { cronJobTable, jobTable } from './tables.ts';
import type { CronJob, Job } from './v1-objects.ts';

const batch = group('batch', 'v1');

export const batchResources: readonly ResourceDefinition[] = [
  batch<CronJob>({
    resource: 'cronjobs',
    kind: 'CronJob',
    shortNames: ['cj'],
    categories: ['all'],
    subresources: { status: own },
    keptGates: CLAIM_TEMPLATE_GATES,
    strategy: {
      ...cronJobRules,
      defaults: cronJobDefaults,
      dropGated: ({ spec }, context) => dropGatedOf(spec?.jobTemplate?.spec?.template, context),
      generation: true,
    },
    table: cronJobTable,
  }),
  batch<Job>({
    resource: 'jobs',
    kind: 'Job',
    categories: ['all'],
    subresources: { status: own },
    keptGates: CLAIM_TEMPLATE_GATES,
    strategy: {
      ...jobStrategy,
      ...jobRules,
      defaults: jobDefaults,
      dropGated: dropGatedOfTemplate,
      generation: true,
      deletion: {
        propagation: 'Orphan',
        propagationWarning:
          'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them ' +
          'or set propagationPolicy=Orphan to suppress this warning',
      },
      selection: {
        names: ['status.successful'],
        values: (job) => ({ 'status.successful': String(job.status?.succeeded ?? 0) }),
        refusal: 'notSupportedForKind',
      },
    },
    table: jobTable,
  }),
];
