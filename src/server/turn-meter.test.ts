import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as round } from 'node:timers/promises';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { type LogFields, silentLog } from '../base/log.ts';
import { MetricRegistry } from '../lifecycle/metrics.ts';
import { declareRuntimeMetrics } from '../lifecycle/runtime-metrics.ts';
import { serverTurnMeter } from './turn-meter.ts';

test('long turns of the event loop are counted, and one log line a second names what delayed requests', async () => {
  const registry = new MetricRegistry();
  const clock = new ManualClock();
  const lines: (LogFields | undefined)[] = [];
  const log = { ...silentLog, info: (_message: string, fields?: LogFields) => void lines.push(fields) };
  let nowMs = 0;
  const requests = { open: 1, admitted: 1 };
  const metrics = declareRuntimeMetrics(registry);
  const meter = serverTurnMeter({ clock, log, metrics, requests, now: () => nowMs });
  const turn = async (ms: number) => {
    meter.enter({ taskName: 'list pods' });
    nowMs += ms;
    await round();
  };
  await turn(3);
  await turn(limits.heldLoopMs + 10);
  await turn(limits.heldLoopMs + 10);
  clock.advance(limits.heldLoopLogMs);
  await turn(limits.heldLoopMs + 10);
  const line = { milliseconds: 60, task: 'list pods', taskMilliseconds: 60 };
  assert.deepEqual(lines, [line, { ...line, unreported: 1 }]);
  const text = registry.text();
  assert.match(text, /keelson_event_loop_turn_seconds_bucket\{le="0.005"\} 1\n/);
  assert.match(text, /keelson_event_loop_turn_seconds_count 4\n/);
});

test('a long turn during which no request waits, as during the start, is counted and not logged', async () => {
  const registry = new MetricRegistry();
  const lines: string[] = [];
  const log = { ...silentLog, info: (message: string) => void lines.push(message) };
  let nowMs = 0;
  const requests = { open: 0, admitted: 0 };
  const metrics = declareRuntimeMetrics(registry);
  const meter = serverTurnMeter({ clock: new ManualClock(), log, metrics, requests, now: () => nowMs });
  const turn = async (arrives: () => void) => {
    meter.enter({ taskName: 'events of pods' });
    nowMs += limits.heldLoopMs + 10;
    await round();
    arrives();
    for (let rounds = 0; rounds < 3; rounds++) await round();
  };
  await turn(() => {});
  assert.deepEqual(lines, []);
  assert.match(registry.text(), /keelson_event_loop_turn_seconds_count 1\n/);
  await turn(() => requests.admitted++);
  assert.deepEqual(lines, ['the event loop was blocked']);
});

test('temporarily held memory is reported with its limit', () => {
  const registry = new MetricRegistry();
  declareRuntimeMetrics(registry).hold({ name: 'kept_forms', limit: 100, bytes: () => 7 });
  const text = registry.text();
  assert.match(text, /keelson_held_bytes\{held="kept_forms"\} 7\n/);
  assert.match(text, /keelson_held_bytes_limit\{held="kept_forms"\} 100\n/);
});
