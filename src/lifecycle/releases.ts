// The releases of Kubernetes 1 whose facts are known: the patch release that was read, by minor version. Written by
// `npm run kubernetes`.

export const PATCHES: Readonly<Record<number, number>> = Object.freeze({
  24: 3,
  25: 9,
  26: 9,
  27: 4,
  28: 3,
  29: 6,
  30: 14,
  31: 14,
  32: 13,
  33: 13,
  34: 4,
  35: 4,
  36: 3,
  37: 2,
});
