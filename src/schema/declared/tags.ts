// Tags of declared validation as Kubernetes writes them: `beta(since: "1.37")=+k8s:required`,
// `ifMode("Queue")=+k8s:required`, `item(type: "Approved")=+k8s:zeroOrOneOfMember`, `maxItems=16`.

/** A tag: its name, what stands in parentheses, its value, and the tag that it applies to something. */
export interface Tag {
  readonly name: string;
  /** Without quotes: `Queue`, or `type: "Approved"` as it stands. */
  readonly argument: string | undefined;
  readonly value: string | undefined;
  readonly inner: Tag | undefined;
}

/** How much a rule counts: a standard one always, one in beta behind a gate, one in alpha never. */
export type Stability = 'standard' | 'beta' | 'alpha';

const TAG = /^([\w-]+)(?:\((.*?)\))?(?:=([\s\S]*))?$/;
/** `maximum=1000000000 # HighestUserDefinablePriority` */
const REMARK = ' # ';
const MARK = '+k8s:';

/** Parses a tag without its mark; it may end in a remark. @throws Error for one that is malformed */
export function parseTag(text: string): Tag {
  const [, name, argument, value] = TAG.exec((text.split(REMARK, 1)[0] ?? '').trimEnd()) ?? [];
  if (name === undefined) throw new Error(`malformed tag ${text}`);
  const inner = value?.startsWith(MARK) ? parseTag(value.slice(MARK.length)) : undefined;
  const quoted = /^"(.*)"$/.exec(argument ?? '')?.[1];
  return { name, argument: quoted ?? argument, value: inner === undefined ? unquoted(value) : undefined, inner };
}

function unquoted(value: string | undefined): string | undefined {
  return /^"(.*)"$/.exec(value ?? '')?.[1] ?? value;
}

/** A tag with the stability that it is wrapped in. */
export function stableTag(tag: Tag): { tag: Tag; stability: Stability } {
  const { name, inner } = tag;
  return (name === 'alpha' || name === 'beta') && inner !== undefined
    ? { tag: inner, stability: name }
    : { tag, stability: 'standard' };
}

/** The conditions of an `item` tag: `type: "Approved"` or `type: "Approved", status: "True"`. */
export function itemConditions(argument: string): [name: string, value: string][] {
  return [...argument.matchAll(/(?<!\w)(\w{1,63}): "([^"]{0,255})"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
}
