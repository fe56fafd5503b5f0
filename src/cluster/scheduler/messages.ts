// The message of the scheduler about a pod that fits nowhere, in kube-scheduler's words: how many nodes are available, and
// the number of nodes for each reason.

/** Why nodes have rejected a pod, and how many nodes there are. */
interface Explanation {
  readonly nodes: number;
  /** The reasons of each node that was looked at. */
  readonly byNode: Iterable<readonly string[]>;
  /** The reasons of all other nodes, and their number. */
  readonly others?: { readonly reasons: readonly string[]; readonly count: number };
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.` */
export function unavailable({ nodes, byNode, others }: Explanation): string {
  const counts = new Map<string, number>();
  for (const reasons of byNode) for (const each of reasons) counts.set(each, (counts.get(each) ?? 0) + 1);
  if (others !== undefined && others.count > 0) {
    for (const each of others.reasons) counts.set(each, (counts.get(each) ?? 0) + others.count);
  }
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodes} nodes are available:${texts.length === 0 ? '' : ` ${texts.join(', ')}.`}`;
}

/** The same with one reason for all nodes. */
export function unavailableEverywhere(nodes: number, reason: string): string {
  return `0/${nodes} nodes are available: ${reason}.`;
}

/** The longest note of an event, in bytes. Kubernetes' value. */
const NOTE_BYTES = 1024;
const CUT = ' ...';

/** A message that fits into an event. */
export function eventNote(message: string): string {
  const bytes = Buffer.from(message);
  if (bytes.length <= NOTE_BYTES) return message;
  // A character that was cut in two is left out.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return `${decoder.decode(bytes.subarray(0, NOTE_BYTES - CUT.length), { stream: true })}${CUT}`;
}
