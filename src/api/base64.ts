// Standard base64 decoding as in Go: line ends are skipped, and errors contain an offset.

const WHOLE = /^[A-Za-z0-9+/]*={0,2}$/;

/** The index at which Go's decoder stops; undefined for valid input. */
export function base64Fault(text: string): number | undefined {
  const clean = text.replace(/[\r\n]/g, '');
  if (clean.length % 4 === 0 && WHOLE.test(clean)) return undefined;
  const odd = text.search(/[^A-Za-z0-9+/\r\n]/);
  const inLast = text.slice(0, odd < 0 ? undefined : odd).replace(/[\r\n]/g, '').length % 4;
  if (odd < 0) return text.length - inLast;
  if (text[odd] !== '=' || inLast < 2) return odd;
  const afterLines = (from: number) => from + /^[\r\n]*/.exec(text.slice(from))![0].length;
  const next = afterLines(odd + 1);
  if (inLast === 3 || next === text.length) return next;
  return text[next] === '=' ? afterLines(next + 1) : next - 1;
}
