// A small chart of how a figure went lately: a line from the left, the newest at the right.

const WIDTH = 200;
const HEIGHT = 36;

interface SparklineProps {
  /** What it shows, for those who cannot see it. */
  readonly label: string;
  /** The oldest first; gaps are undefined. */
  readonly values: readonly (number | undefined)[];
  /** How many fit; fewer stand at the right. */
  readonly capacity: number;
}

export function Sparkline({ label, values, capacity }: SparklineProps) {
  const most = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const step = WIDTH / (capacity - 1);
  const first = capacity - values.length;
  const points = values.flatMap((value, at) =>
    value === undefined ? [] : [[(first + at) * step, HEIGHT - 2 - ((HEIGHT - 4) * value) / most] as const],
  );
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const [start, end] = [points[0], points.at(-1)];
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {start !== undefined && end !== undefined && points.length > 1 && (
        <>
          <polygon points={`${start[0].toFixed(1)},${HEIGHT} ${line} ${end[0].toFixed(1)},${HEIGHT}`} />
          <polyline points={line} />
        </>
      )}
    </svg>
  );
}
