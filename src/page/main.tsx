// The console's page: its entrance.

import { render } from 'preact';
import './page.css';

render(<p>Keelson</p>, document.getElementById('page')!);
