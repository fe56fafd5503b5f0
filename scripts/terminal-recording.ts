// Recordings of a terminal as animated pictures: SVG that plays by its own style sheet, without scripts, wherever a browser
// shows an image. What stands on the screen is only ever added to, as with commands that print lines.

import { escaped } from './markup.ts';

/** Text that appears at a moment, after what is there already. */
export interface Output {
  /** Milliseconds since the recording's start. */
  readonly atMs: number;
  readonly text: string;
  /** Whether somebody typed it. */
  readonly typed?: boolean;
}

export interface RecordingOptions {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** When the recording starts again. */
  readonly lengthMs: number;
}

const CHARACTER_PX = 7.8;
const LINE_PX = 19;
/** From a row's top; what hangs below it stays in the row. */
const BASELINE_PX = 14;
const MARGIN_PX = 16;
const BAR_PX = 28;

/** Text on one line that appears at once. */
interface Piece {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly atMs: number;
  readonly typed: boolean;
}

/** Divides what is printed at each line's end and at the last column. */
function piecesOf(outputs: readonly Output[], columns: number): Piece[] {
  const pieces: Piece[] = [];
  let [row, column] = [0, 0];
  for (const { atMs, text, typed = false } of outputs) {
    for (const [at, line] of text.split('\n').entries()) {
      if (at > 0) [row, column] = [row + 1, 0];
      for (let rest = line; rest !== ''; ) {
        if (column === columns) [row, column] = [row + 1, 0];
        const part = rest.slice(0, columns - column);
        pieces.push({ row, column, text: part, atMs, typed });
        column += part.length;
        rest = rest.slice(part.length);
      }
    }
  }
  return pieces;
}

/** A share of the recording as CSS writes it. */
function percent(atMs: number, lengthMs: number): string {
  return `${((atMs / lengthMs) * 100).toFixed(3)}%`;
}

/** The moments at which the screen moves up by lines, since a line below its last row appears. */
function scrollsOf(pieces: readonly Piece[], rows: number): Map<number, number> {
  const scrolls = new Map<number, number>();
  let last = rows - 1;
  for (const { row, atMs } of pieces) {
    if (row <= last) continue;
    last = row;
    scrolls.set(atMs, row - rows + 1);
  }
  return scrolls;
}

/**
 * Returns an SVG picture that plays the recording again and again; to who prefers no motion it shows the last screen.
 *
 * @param outputs in the order of their times
 * @example terminalRecording([{ atMs: 0, text: '$ ' }, { atMs: 500, text: 'ls', typed: true }], options)
 */
export function terminalRecording(outputs: readonly Output[], options: RecordingOptions): string {
  const { title, columns, rows } = options;
  const lengthMs = Math.ceil(options.lengthMs);
  const pieces = piecesOf(outputs, columns);
  const moments = [...new Set(pieces.map(({ atMs }) => atMs))].filter((atMs) => atMs > 0);
  const frames = moments.map(
    (atMs, at) => `@keyframes m${at}{0%{visibility:hidden}${percent(atMs, lengthMs)}{visibility:visible}}`,
  );
  const scrolls = scrollsOf(pieces, rows);
  const steps = [...scrolls].map(
    ([atMs, lines]) => `${percent(atMs, lengthMs)}{transform:translateY(${-lines * LINE_PX}px)}`,
  );
  const texts = pieces.map(({ row, column, text, atMs, typed }) => {
    const at = moments.indexOf(atMs);
    const animation = at < 0 ? '' : ` style="animation-name:m${at}"`;
    const place = `x="${(column * CHARACTER_PX).toFixed(1)}" y="${row * LINE_PX + BASELINE_PX}"`;
    // Whatever font is there, columns stay below each other.
    const length = text.length === 1 ? '' : ` textLength="${(text.length * CHARACTER_PX).toFixed(1)}"`;
    return `<text ${place}${length}${typed ? ' class="t"' : ''}${animation}>${escaped(text)}</text>`;
  });
  const [width, height] = [Math.ceil(columns * CHARACTER_PX) + 2 * MARGIN_PX, rows * LINE_PX + 2 * MARGIN_PX + BAR_PX];
  const lastScroll = ([...scrolls.values()].at(-1) ?? 0) * LINE_PX;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<desc>${escaped(outputs.map(({ text }) => text).join(''))}</desc>
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d4d7dd;white-space:pre;animation:${lengthMs}ms step-end infinite}
.t{fill:#fff;font-weight:600}
#lines{transform:translateY(${-lastScroll}px);animation:scroll ${lengthMs}ms step-end infinite}
@keyframes scroll{0%{transform:none}${steps.join('')}}
${frames.join('\n')}
@media (prefers-reduced-motion:reduce){text,#lines{animation:none}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#1b1d23"/>
<g fill="#4a4e58"><circle cx="20" cy="18" r="6"/><circle cx="40" cy="18" r="6"/><circle cx="60" cy="18" r="6"/></g>
<clipPath id="screen"><rect width="${width}" height="${rows * LINE_PX}"/></clipPath>
<g transform="translate(${MARGIN_PX} ${BAR_PX + MARGIN_PX})" clip-path="url(#screen)"><g id="lines">
${texts.join('\n')}
</g></g>
</svg>
`;
}
