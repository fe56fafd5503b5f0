// Parameters of lists and watches, parsed and validated in kube-apiserver's order and words: first values that cannot
// be parsed (400), then invalid combinations (422).

import { errors, type FieldError, fieldError } from '../api/errors.ts';
import type { ResourceRequest } from './resource-request.ts';

export interface ListOptions {
  readonly watch: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

const NO_OPTIONS: ListOptions = {
  watch: false,
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continueToken: '',
  timeoutSeconds: undefined,
  allowWatchBookmarks: false,
  sendInitialEvents: undefined,
};

/** @throws ApiError 400 for an invalid number. */
export function listOptions({ query }: ResourceRequest): ListOptions {
  if (query.empty) return NO_OPTIONS;
  return {
    watch: query.flag('watch'),
    resourceVersion: query.text('resourceVersion'),
    resourceVersionMatch: query.text('resourceVersionMatch'),
    // Only the first invalid number is reported.
    timeoutSeconds: query.integer('timeoutSeconds'),
    limit: Math.max(0, query.integer('limit') ?? 0),
    continueToken: query.text('continue'),
    allowWatchBookmarks: query.flag('allowWatchBookmarks'),
    sendInitialEvents: query.optionalFlag('sendInitialEvents'),
  };
}

/** @throws ApiError 422 with every combination that is invalid for a list. */
export function validateListOptions(options: ListOptions): void {
  const found: FieldError[] = [];
  const { resourceVersion, resourceVersionMatch: match } = options;
  if (match !== '') {
    if (resourceVersion === '')
      found.push(matchForbidden('resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (options.continueToken !== '')
      found.push(matchForbidden('resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      found.push(fieldError.notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      found.push(matchForbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    found.push(fieldError.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  refuse(found);
}

/**
 * @param watchList whether watches may request initial events (the gate WatchList)
 * @throws ApiError 422 with every combination that is invalid for a watch.
 */
export function validateWatchOptions(options: ListOptions, watchList: boolean): void {
  const found: FieldError[] = [];
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    found.push(matchForbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (sendInitialEvents !== undefined && !watchList) {
    const why = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    found.push(fieldError.forbidden('sendInitialEvents', why));
  }
  // Without a version, or from 0, a watch sends initial events as if requested.
  const implied =
    watchList && sendInitialEvents === undefined && match === '' && ['', '0'].includes(options.resourceVersion);
  if (implied && options.continueToken !== '') {
    found.push(matchForbidden('resourceVersionMatch is forbidden when continue is provided'));
  }
  if (match !== '') {
    if (sendInitialEvents === undefined) {
      found.push(matchForbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    }
    if (match !== 'NotOlderThan') found.push(fieldError.notSupported('resourceVersionMatch', match, ['NotOlderThan']));
    if (options.continueToken !== '')
      found.push(matchForbidden('resourceVersionMatch is forbidden when continue is provided'));
  }
  refuse(found);
}

function matchForbidden(detail: string): FieldError {
  return fieldError.forbidden('resourceVersionMatch', detail);
}

function refuse(found: FieldError[]): void {
  if (found.length > 0) throw errors.invalid({ group: 'meta.k8s.io', kind: 'ListOptions', name: '' }, found);
}
