// Formatting of a text as Go does it without operands. cel-go before 0.23 formats the messages of its parser in this way,
// so that an expression with percent signs is quoted with a note at each.

/** A percent sign with flags, width and precision, and the verb, which the end of the text may lack. */
const VERB = /%[-+# 0]*\d*(?:\.\d*)?(.?)/gsu;

/** `%d of %%` as `%!d(MISSING) of %`. */
export function formatWithoutOperands(text: string): string {
  return text.replace(VERB, (_, verb: string) => {
    if (verb === '%') return '%';
    return verb === '' ? '%!(NOVERB)' : `%!${verb}(MISSING)`;
  });
}
