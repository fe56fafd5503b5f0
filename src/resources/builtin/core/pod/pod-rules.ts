// Context for the validation of pods and pod templates: the gates and options of the server, and its release.

import type { StrategyContext } from '../../../definition.ts';

export type PodRules = Partial<Pick<StrategyContext, 'allowPrivileged' | 'gateEnabled' | 'memory' | 'minor'>>;
