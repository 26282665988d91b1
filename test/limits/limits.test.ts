import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allCases } from './all-cases.js';
import { MeasuredServer } from './measured-server.js';
import { clearing, preparing } from './prepared-server.js';

/**
 * Processor time that the calibration of `measured-process` takes on the reference machine, in milliseconds. On a machine that is slower or
 * busy, the limits grow with it.
 */
const referenceMs = 10;

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
      const { status, text, longestMs, calibrationMs } = await server.cost(limitCase);
      t.diagnostic(`${longestMs.toFixed(0)} ms, where the calibration takes ${calibrationMs.toFixed(1)} ms`);
      assert.equal(status, limitCase.status, text.slice(0, 300));
      const most = mostMs * (calibrationMs / referenceMs);
      assert.ok(longestMs <= most, `${longestMs} ms of at most ${most} ms`);
    });
  }
});
