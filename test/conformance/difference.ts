// Differences between two values, described for people.

/** Returns lines that describe where `actual` differs from `expected`; none if they are equal. */
export function differences(expected: unknown, actual: unknown, at = ''): string[] {
  if (Object.is(expected, actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) return inLists(expected, actual, at);
  if (isMap(expected) && isMap(actual)) return inMaps(expected, actual, at);
  return [`${at || '.'}: ${brief(actual)}, expected ${brief(expected)}`];
}

function inLists(expected: readonly unknown[], actual: readonly unknown[], at: string): string[] {
  const lines =
    expected.length === actual.length ? [] : [`${at || '.'}: ${actual.length} items, expected ${expected.length}`];
  const both = Math.min(expected.length, actual.length);
  for (let index = 0; index < both; index++) {
    lines.push(...differences(expected[index], actual[index], `${at}[${index}]`));
  }
  return lines;
}

type Members = Readonly<Record<string, unknown>>;

function inMaps(expected: Members, actual: Members, at: string): string[] {
  const lines: string[] = [];
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const place = `${at}.${key}`;
    if (!Object.hasOwn(actual, key)) lines.push(`${place}: missing, expected ${brief(expected[key])}`);
    else if (!Object.hasOwn(expected, key)) lines.push(`${place}: unexpected ${brief(actual[key])}`);
    else lines.push(...differences(expected[key], actual[key], place));
  }
  return lines;
}

function isMap(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const briefCharacters = 200;

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > briefCharacters ? `${text.slice(0, briefCharacters)}…` : text;
}
