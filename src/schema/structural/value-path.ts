// The path of a value, kept as steps during a walk and formatted only for an error.

export class ValuePath {
  readonly #steps: (string | number)[] = [];

  enter(step: string | number): void {
    this.#steps.push(step);
  }

  leave(): void {
    this.#steps.pop();
  }

  /** `spec.ports[0].name`; '' for the value itself. */
  text(): string {
    let text = '';
    for (const step of this.#steps) {
      if (typeof step === 'number') text += `[${step}]`;
      else text += text === '' ? step : `.${step}`;
    }
    return text;
  }
}
