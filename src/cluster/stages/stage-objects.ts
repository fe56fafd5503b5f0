// Stages: KWOK's resource, kwok.x-k8s.io/v1alpha1, that says how objects of a kind change by themselves.

import type { ApiObject } from '../../api/object.ts';

export const STAGE_GROUP = 'kwok.x-k8s.io';
export const STAGE_RESOURCE = 'stages';
export const STAGE_VERSION = 'v1alpha1';
export const STAGE_KIND = 'Stage';

export interface Stage {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ApiObject['metadata'];
  readonly spec?: StageSpec;
}

interface StageSpec {
  readonly resourceRef?: { readonly apiGroup?: string; readonly kind?: string };
  /** A Stage without one is never taken; an empty one selects all objects. */
  readonly selector?: StageSelector;
  readonly weight?: number;
  readonly weightFrom?: ExpressionFrom;
  readonly delay?: StageDelay;
  readonly next?: StageNext;
  /** No difference here: an object is looked at as soon as it has changed. */
  readonly immediateNextStage?: boolean;
}

export interface StageSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchAnnotations?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly MatchExpression[];
}

/** A condition in one of the languages; `key`, `operator` and `values` are the old form of `jq`. */
export interface MatchExpression extends JqRequirement {
  readonly cel?: { readonly expression?: string };
  readonly jq?: JqRequirement;
}

export interface JqRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** An expression in one of the languages; `expressionFrom` is the old form of `jq`. */
export interface ExpressionFrom {
  readonly cel?: { readonly expression?: string };
  readonly jq?: { readonly expression?: string };
  readonly expressionFrom?: string;
}

export interface StageDelay {
  readonly durationMilliseconds?: number;
  readonly durationFrom?: ExpressionFrom;
  readonly jitterDurationMilliseconds?: number;
  readonly jitterDurationFrom?: ExpressionFrom;
}

export interface StageNext {
  readonly event?: { readonly type?: string; readonly reason?: string; readonly message?: string };
  readonly finalizers?: StageFinalizers;
  readonly delete?: boolean;
  readonly patches?: readonly StagePatch[];
  /** The old form of a single patch of the status. */
  readonly statusTemplate?: string;
  readonly statusSubresource?: string;
  readonly statusPatchAs?: { readonly username?: string };
}

export interface StageFinalizers {
  readonly add?: readonly { readonly value?: string }[];
  readonly remove?: readonly { readonly value?: string }[];
  readonly empty?: boolean;
}

export interface StagePatch {
  readonly subresource?: string;
  /** The member of the object that the template makes. */
  readonly root?: string;
  readonly template?: string;
  readonly type?: string;
  readonly impersonation?: { readonly username?: string };
}
