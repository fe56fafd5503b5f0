import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMetrics } from './metrics-text.ts';
import { figuresOf, isFigure, type Scrape } from './server-figures.ts';

const scrape = (at: number, text: string): Scrape => ({ at, metrics: parseMetrics(text, isFigure) });

const requests = (gets: number, errors: number, watches: number): string =>
  `apiserver_request_total{verb="GET",group="",resource="pods",code="200"} ${gets}
apiserver_request_total{verb="GET",group="",resource="pods",code="500"} ${errors}
apiserver_request_total{verb="WATCH",group="apps",resource="deployments",subresource="",code="200"} ${watches}
apiserver_request_duration_seconds_bucket{verb="GET",group="",resource="pods",le="0.1"} ${gets}
apiserver_request_duration_seconds_bucket{verb="GET",group="",resource="pods",le="+Inf"} ${gets + errors}
apiserver_request_duration_seconds_bucket{verb="WATCH",group="apps",resource="deployments",le="+Inf"} ${watches}
`;

test('rates are computed between two scrapes, and a single scrape has none', () => {
  const first = scrape(1000, requests(10, 0, 1));
  assert.equal(figuresOf(undefined, first).perSecond, 0);
  const figures = figuresOf(first, scrape(3000, requests(30, 2, 1)));
  assert.equal(figures.perSecond, 11);
  assert.equal(figures.failedPerSecond, 1);
  assert.deepEqual(
    figures.requests.map(({ verb, resource, perSecond, total }) => [verb, resource, perSecond, total]),
    [
      ['GET', 'pods', 11, 32],
      ['WATCH', 'apps/deployments', 0, 1],
    ],
  );
  assert.deepEqual(
    [...figures.requests[0]!.codes],
    [
      ['200', 30],
      ['500', 2],
    ],
  );
});

test('watches have no latency, neither their own nor in the total', () => {
  const figures = figuresOf(undefined, scrape(0, requests(10, 0, 50)));
  assert.equal(figures.requests.find(({ verb }) => verb === 'WATCH')?.median, undefined);
  assert.equal(figures.p99, 0.099);
});

test('latency is that of the last interval, or of all the time if that has no requests', () => {
  const slow = requests(0, 10, 0);
  assert.equal(figuresOf(scrape(0, slow), scrape(1000, requests(100, 10, 0))).p99, 0.099);
  assert.equal(figuresOf(scrape(0, slow), scrape(1000, slow)).p99, 0.1);
});

test('priority levels have seats, queues and rejections, with any subset of the metrics', () => {
  const level = (rejected: number): string =>
    `apiserver_flowcontrol_current_limit_seats{priority_level="low"} 20
apiserver_flowcontrol_current_limit_seats{priority_level="exempt"} 0
apiserver_flowcontrol_current_executing_seats{flow_schema="a",priority_level="low"} 3
apiserver_flowcontrol_current_executing_seats{flow_schema="b",priority_level="low"} 4
apiserver_flowcontrol_current_inqueue_requests{flow_schema="a",priority_level="low"} 5
apiserver_flowcontrol_rejected_requests_total{flow_schema="a",priority_level="low",reason="queue-full"} ${rejected}
`;
  const { levels, queued } = figuresOf(scrape(0, level(2)), scrape(2000, level(8)));
  assert.equal(queued, 5);
  assert.deepEqual(
    levels.map(({ name }) => name),
    ['exempt', 'low'],
  );
  const { seats, limit, rejected, rejectedPerSecond } = levels[1]!;
  assert.deepEqual(
    { seats, limit, rejected, rejectedPerSecond },
    { seats: 7, limit: 20, rejected: 8, rejectedPerSecond: 3 },
  );
});

test('metrics that a server does not publish are absent, and object counts of -1 are unknown', () => {
  const bare = figuresOf(undefined, scrape(0, 'apiserver_storage_objects{resource="pods"} -1\n'));
  assert.equal(bare.turns, undefined);
  assert.equal(bare.objects.size, 0);
  assert.equal(bare.memoryBytes, undefined);
  const text =
    'keelson_event_loop_turn_seconds_bucket{le="0.001"} 5\nkeelson_event_loop_turn_seconds_bucket{le="+Inf"} 5\n' +
    'apiserver_resource_objects{group="apps",resource="deployments"} 7\napiserver_storage_objects{resource="deployments.apps"} 7\n' +
    'apiserver_longrunning_requests{verb="WATCH",group="",resource="pods",scope="cluster"} 2\n' +
    'apiserver_longrunning_requests{verb="WATCH",group="",resource="pods",scope="namespace"} 1\n' +
    'apiserver_longrunning_requests{verb="CONNECT",group="",resource="pods",subresource="exec"} 1\n';
  const full = figuresOf(undefined, scrape(0, text));
  assert.equal(full.turns?.median, 0.0005);
  assert.deepEqual([...full.objects], [['apps/deployments', 7]]);
  assert.deepEqual([...full.watches], [['pods', 3]]);
});
