// The size of a pattern before it is compiled: an estimate of the instructions into which it compiles, in a fraction of
// the time. Compiling cannot pause, and a few characters can stand for many instructions: `a{1000}b{1000}`.

/** What is known about a group that has not ended. */
interface Group {
  /** The instructions before the last item. */
  before: number;
  /** The instructions of the last item, which a repetition multiplies. */
  last: number;
  /** How often repetitions within repetitions repeat something in the last item, and in any. */
  lastRepeats: number;
  repeats: number;
}

function newGroup(before: number): Group {
  return { before, last: 0, lastRepeats: 1, repeats: 1 };
}

/** RE2's limit of repetitions within repetitions. */
const MAX_REPEATS = 1_000;

const REPETITION = /\{(\d+)(?:(,)(\d*))?\}/y;
const GROUP_HEAD = /\(\?(?:P?<\w+>|[imsU-]*:)/y;
const FLAGS = /\(\?[imsU-]+\)/y;
const CLASS_NAME = /\[:\^?\w+:\]/y;
/** A class of Unicode has hundreds of ranges, which cost as much as so many instructions, once. */
const UNICODE_CLASS = 20;

/**
 * Estimates the instructions of a pattern, or returns more than `most` as soon as there are more; 0 if it repeats more than
 * a pattern may.
 */
export function patternSize(pattern: string, most: number): number {
  const scan = new Scan(pattern);
  while (scan.size <= most && scan.step());
  return scan.size;
}

class Scan {
  readonly #pattern: string;
  #at = 0;
  /** The groups around the place, the innermost last. */
  readonly #groups: Group[] = [newGroup(0)];
  /** Instructions of the groups around the innermost one, and the cost of classes. */
  #around = 0;
  #group: Group = this.#groups[0] as Group;
  #repeatsTooMuch = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get size(): number {
    return this.#repeatsTooMuch ? 0 : this.#around + this.#group.before + this.#group.last;
  }

  /** @returns whether there is more */
  step(): boolean {
    const pattern = this.#pattern;
    if (this.#at >= pattern.length || this.#repeatsTooMuch) return false;
    const character = pattern[this.#at] as string;
    if (character === '\\') this.#escape();
    else if (character === '[') this.#class();
    else if (character === '(') this.#open();
    else if (character === ')') this.#close();
    else if (character === '{') this.#repetition();
    else {
      if (character === '*' || character === '+' || character === '?') this.#group.last++;
      else this.#item(1);
      this.#at++;
    }
    return true;
  }

  #item(size: number, repeats = 1): void {
    this.#group.before += this.#group.last;
    this.#group.last = size;
    this.#repeats(repeats);
  }

  #repeats(count: number): void {
    this.#group.lastRepeats = count;
    this.#group.repeats = Math.max(this.#group.repeats, count);
    this.#repeatsTooMuch ||= count > MAX_REPEATS;
  }

  #matches(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found !== null) this.#at += found[0].length;
    return found ?? undefined;
  }

  #escape(): void {
    const next = this.#pattern[this.#at + 1] ?? '';
    this.#item(1);
    if (next === 'Q') {
      const end = this.#pattern.indexOf('\\E', this.#at);
      const length = (end < 0 ? this.#pattern.length : end) - this.#at - 2;
      this.#group.before += Math.max(0, length - 1);
      this.#at += length + 4;
      return;
    }
    if (next === 'p' || next === 'P') this.#around += UNICODE_CLASS;
    this.#at += 2;
  }

  #class(): void {
    const start = this.#at;
    this.#at += this.#pattern[start + 1] === '^' ? 2 : 1;
    if (this.#pattern[this.#at] === ']') this.#at++;
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ']') {
      const next = this.#pattern[this.#at];
      if (next === '\\') {
        if (/[pP]/.test(this.#pattern[this.#at + 1] ?? '')) this.#around += UNICODE_CLASS;
        this.#at += 2;
      } else if (next !== '[' || this.#matches(CLASS_NAME) === undefined) this.#at++;
    }
    this.#at++;
    this.#item(1);
    // Its characters are sorted, but not repeated.
    this.#around += (this.#at - start) / 2;
  }

  #open(): void {
    if (this.#matches(FLAGS) !== undefined) return;
    if (this.#matches(GROUP_HEAD) === undefined) this.#at++;
    this.#around += this.#group.before + this.#group.last;
    this.#group = newGroup(2);
    this.#groups.push(this.#group);
  }

  #close(): void {
    this.#at++;
    // Too many of them are an error, which is found when the pattern is compiled.
    if (this.#groups.length === 1) return;
    const { before, last, repeats } = this.#groups.pop() as Group;
    this.#group = this.#groups.at(-1) as Group;
    this.#around -= this.#group.before + this.#group.last;
    this.#item(before + last, repeats);
  }

  #repetition(): void {
    const found = this.#matches(REPETITION);
    if (found === undefined) {
      this.#at++;
      this.#item(1);
      return;
    }
    const [, least, comma, most] = found;
    const count = Math.max(1, Number(least), Number(most ?? 0));
    const open = comma !== undefined && most === '' ? 1 : 0;
    this.#group.last *= count + open;
    this.#repeats(this.#group.lastRepeats * count);
  }
}
