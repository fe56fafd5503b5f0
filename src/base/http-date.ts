// The Date header of responses, computed once per second.

let dateSecond = -1;
let dateText = '';

/** A time as the Date header states it, in whole seconds. */
export function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}
