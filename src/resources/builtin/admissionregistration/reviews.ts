// Reviews of tokens and access: no admission policy applies to them, and from 1.37 on no webhook, because they could lock
// everybody out.

const REVIEWS: ReadonlyMap<string, readonly string[]> = new Map([
  ['authentication.k8s.io', ['selfsubjectreviews', 'tokenreviews']],
  [
    'authorization.k8s.io',
    ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  ],
]);

/** Whether a resource is such a review, in any version. */
export function isReview({ group, resource }: { readonly group: string; readonly resource: string }): boolean {
  return REVIEWS.get(group)?.includes(resource) ?? false;
}
