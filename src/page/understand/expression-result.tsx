// What an examination of an expression found: faults with their places, or type, value and costs.

import type { Examination } from '../../expressions/examination.ts';
import { toYaml } from '../object/yaml-text.ts';
import { diagnosticsOf, placeText } from './expression-faults.ts';

interface ExpressionResultProps {
  readonly text: string;
  readonly found: Examination;
  readonly hasObject: boolean;
}

export function ExpressionResult({ text, found, hasObject }: ExpressionResultProps) {
  const { fault, type, value, error, estimate, cost } = found;
  if (fault !== undefined) {
    return (
      <div class="notice bad" role="status">
        {diagnosticsOf(text, found).map(({ from, message }) => (
          <p key={`${from} ${message}`}>
            <code>{placeText(text, from)}</code> {message}
          </p>
        ))}
      </div>
    );
  }
  if (type === undefined) return <p class="weak">Type an expression.</p>;
  return (
    <dl class="result" aria-live="polite">
      <dt>Value</dt>
      <dd>
        {value !== undefined && (
          <pre class={`value ${value === true ? 'good' : value === false ? 'bad' : ''}`}>{toYaml(value)}</pre>
        )}
        {error !== undefined && <span class="bad">{error}</span>}
        {value === undefined && error === undefined && (
          <span class="weak">{hasObject ? 'none' : 'Nothing stands at this place of the object.'}</span>
        )}
      </dd>
      <dt>Type</dt>
      <dd>
        <code>{type}</code>
      </dd>
      {cost !== undefined && (
        <Cost title="Cost" amount={cost.spent} limit={cost.limit} words="of what one evaluation may cost" />
      )}
      {estimate !== undefined && (
        <Cost
          title="Estimate"
          amount={estimate.most}
          limit={estimate.limit}
          words="of what a rule may be estimated at; it costs no more"
        />
      )}
    </dl>
  );
}

interface CostProps {
  readonly title: string;
  readonly amount: number;
  readonly limit: number;
  readonly words: string;
}

function Cost({ title, amount, limit, words }: CostProps) {
  const share = (100 * amount) / limit;
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <strong class={amount > limit ? 'bad' : ''}>{amount.toLocaleString('en')}</strong>{' '}
        <meter min={0} max={limit} high={limit * 0.5} value={amount} aria-label={title} />{' '}
        <span class="weak">
          {share > 0 && share < 0.1 ? 'less than 0.1' : Number(share.toFixed(1)).toLocaleString('en')} % {words}
        </span>
        {amount > limit && (
          <p class="bad">Such a rule is refused: bound the sizes of lists, maps and texts it looks at.</p>
        )}
      </dd>
    </>
  );
}
