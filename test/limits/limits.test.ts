import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allCases } from './all-cases.js';
import { assertCost } from './assert-cost.js';
import { MeasuredServer } from './measured-server.js';
import { clearing, preparing } from './prepared-server.js';

describe('the longest time for which a large request blocks other requests', () => {
  let server: MeasuredServer;
  before(async () => {
    server = await MeasuredServer.start();
    for (const request of preparing) await server.send(request);
  });
  after(() => server[Symbol.asyncDispose]());

  for (const limitCase of allCases) {
    test(`${limitCase.name}: at most ${limitCase.mostMs ?? 100} ms`, async (t) => {
      const { mostMs = 100 } = limitCase;
      t.after(async () => {
        for (const request of clearing) await server.send(request);
      });
      const { status, text, ...cost } = await server.cost(limitCase);
      assert.equal(status, limitCase.status, text.slice(0, 300));
      assertCost(t, cost, mostMs);
    });
  }
});
