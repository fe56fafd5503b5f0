// Shuffle sharding: each flow is dealt a hand of queues, based on its hash, so that two flows seldom share all queues.

/**
 * The queues of a flow, all different, in the order in which they were dealt.
 *
 * @param hash 64 bits of the flow's identity
 * @param queues size of the deck
 */
export function dealHand(hash: bigint, queues: number, handSize: number): number[] {
  const hand: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < Math.min(handSize, queues); dealt++) {
    const left = BigInt(queues - dealt);
    let card = Number(rest % left);
    rest /= left;
    // The card's index is among the remaining ones: each lower card that was dealt shifts it up.
    for (const earlier of hand.toSorted((one, other) => one - other)) if (earlier <= card) card++;
    hand.push(card);
  }
  return hand;
}
