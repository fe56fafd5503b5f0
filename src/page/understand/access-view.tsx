// Access: what the user of the console may do, and who may do something, each in its tab.

import { place, setQuery } from '../shell/router.ts';
import { MyRights } from './my-rights.tsx';
import { WhoMay } from './who-may-view.tsx';

export function AccessView() {
  const asksWho = place.value.query.get('tab') === 'who';
  return (
    <>
      <div class="bar">
        <h1>Access</h1>
      </div>
      <div class="tabs" role="tablist" aria-label="Questions about access">
        <button type="button" role="tab" aria-selected={!asksWho} onClick={() => setQuery({ tab: undefined })}>
          What may I do?
        </button>
        <button type="button" role="tab" aria-selected={asksWho} onClick={() => setQuery({ tab: 'who' })}>
          Who may do this?
        </button>
      </div>
      {asksWho ? <WhoMay /> : <MyRights />}
    </>
  );
}
