import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertCost, isWithin } from './assert-cost.js';
import { configMap, configMaps, json, keys, list } from './case-bodies.js';
import type { LimitRequest } from './limit-case.js';
import { MeasuredServer } from './measured-server.js';
import { mostMs } from './most-ms.js';

const clients = 10;
/** The number of measurements after which the test fails. Other work on the machine can only make a measurement longer. */
const measurements = 3;

const creation = (at: number): LimitRequest => ({
  method: 'POST',
  path: configMaps,
  type: json,
  body: JSON.stringify(configMap(keys(30_000), { name: `large-${at}` })),
});
const clearing: LimitRequest = { method: 'DELETE', path: configMaps };

describe('the longest time for which large requests of many clients block other requests', () => {
  let server: MeasuredServer;
  before(async () => {
    server = await MeasuredServer.start();
  });
  after(() => server[Symbol.asyncDispose]());

  test(`other requests wait for at most ${mostMs} ms while the server handles ${clients} concurrent creates of ConfigMaps with 30,000 keys`, async (t) => {
    const requests = list(clients, creation);
    for (let left = measurements; ; left -= 1) {
      const { result, cost } = await server.costOf(() => Promise.all(requests.map((each) => server.send(each))));
      for (const { status, text } of result) assert.equal(status, 201, text.slice(0, 300));
      await server.send(clearing);
      if (left === 1 || isWithin(cost)) return assertCost(t, cost);
    }
  });
});
