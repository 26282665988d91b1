import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allCases } from './all-cases.js';
import { assertCost, isWithin } from './assert-cost.js';
import { MeasuredServer } from './measured-server.js';
import { clearing, preparing } from './prepared-server.js';

/** The number of measurements after which a case fails. Other work on the machine can only make a measurement longer. */
const measurements = 3;

describe('the longest time for which a large request blocks other requests', () => {
  let server: MeasuredServer;
  before(async () => {
    server = await MeasuredServer.start();
    for (const request of preparing) await server.send(request);
  });
  after(() => server[Symbol.asyncDispose]());

  const clear = async (): Promise<void> => {
    for (const request of clearing) await server.send(request);
  };

  for (const limitCase of allCases) {
    test(`${limitCase.name}: at most ${limitCase.mostMs ?? 100} ms`, async (t) => {
      const { mostMs = 100 } = limitCase;
      t.after(clear);
      for (let left = measurements; ; left -= 1) {
        const { status, text, ...cost } = await server.cost(limitCase);
        assert.equal(status, limitCase.status, text.slice(0, 300));
        if (left > 1 && !isWithin(cost, mostMs)) await clear();
        else return assertCost(t, cost, mostMs);
      }
    });
  }
});
