import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../base/seeded-random.ts';
import { type Dependent, OwnerGraph } from './owner-graph.ts';

/** The same graph as a plain list, every answer found by looking at all of it. */
class NaiveGraph {
  objects: Dependent<string>[] = [];

  set(dependent: Dependent<string>): void {
    this.remove(dependent.uid);
    if (dependent.owners.size > 0) this.objects.push(dependent);
  }

  remove(uid: string): void {
    this.objects = this.objects.filter((each) => each.uid !== uid);
  }

  dependentsOf(owner: string): string[] {
    return this.objects.filter(({ owners }) => owners.has(owner)).map(({ uid }) => uid);
  }

  isBlocked(owner: string): boolean {
    return this.objects.some(({ owners }) => owners.get(owner)?.blocks === true);
  }
}

test('the owner graph agrees with a full list after any sequence of events', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new SeededRandom(seed);
    const below = (limit: number) => random.below(limit);
    const graph = new OwnerGraph<string>();
    const naive = new NaiveGraph();
    for (let step = 0; step < 400; step++) {
      const uid = `u${below(12)}`;
      if (below(4) === 0) {
        graph.remove(uid);
        naive.remove(uid);
      } else {
        const owners = new Map(Array.from({ length: below(4) }, () => [`u${below(12)}`, { blocks: below(2) === 0 }]));
        graph.set({ uid, place: uid, owners });
        naive.set({ uid, place: uid, owners });
      }
      assert.equal(graph.size, naive.objects.length, `seed ${seed}, step ${step}`);
      for (let index = 0; index < 12; index++) {
        const owner = `u${index}`;
        const dependents = graph.dependentsOf(owner).map((each) => each.uid);
        assert.deepEqual(dependents.sort(), naive.dependentsOf(owner).sort(), `seed ${seed}, step ${step}, ${owner}`);
        assert.equal(graph.hasDependents(owner), dependents.length > 0);
        assert.equal(graph.isBlocked(owner), naive.isBlocked(owner), `seed ${seed}, step ${step}, ${owner}`);
        assert.deepEqual(graph.get(owner)?.owners, naive.objects.find((each) => each.uid === owner)?.owners);
      }
    }
  }
});
