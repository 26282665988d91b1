import assert from 'node:assert/strict';
import { type TestContext, after, before, describe, test } from 'node:test';
import { assertCost, isWithin, limitMs } from './assert-cost.js';
import { calibrationMs } from './calibration.js';
import { celCases } from './cel-cases.js';
import { crdCases, storedDefinitionCases } from './crd-cases.js';
import { errorsCases } from './errors-cases.js';
import type { LimitCase, LimitRequest } from './limit-case.js';
import { limitCases } from './limit-cases.js';
import { longCallsCases } from './long-calls-cases.js';
import { MeasuredServer } from './measured-server.js';
import { mostMs } from './most-ms.js';
import { clearing, preparing } from './prepared-server.js';
import { protobufCases } from './protobuf-cases.js';
import { otherNamespace, readCases, seeds } from './reads-cases.js';
import { rulesCases } from './rules-cases.js';
import { mostExternalBytes, requestMB, startSmallHeap } from './small-heap.js';
import { subresourceCases } from './subresource-cases.js';

/** The number of measurements after which a case fails. Other work on the machine can only make a measurement longer. */
const measurements = 3;
const MB = 1024 * 1024;
/**
 * The share of the time limit that a case may take in a small heap. A case that takes longer is repeated in the default heap. The rest of
 * the limit is a reserve for the longer garbage collections of a large heap, and for a machine that becomes faster.
 */
const provenShare = 0.6;

/** Cases that share a server. Each theme has its own server, because the server caches compiled patterns and generated documents. */
const themes: Readonly<Record<string, readonly LimitCase[]>> = {
  limitCases,
  celCases,
  crdCases,
  storedDefinitionCases,
  errorsCases,
  longCallsCases,
  protobufCases,
  rulesCases,
  subresourceCases,
};
const reading: readonly LimitRequest[] = [otherNamespace, ...seeds];

const memoryOf = (name: string): string =>
  `the server handles ${name} with at most ${requestMB} MB of memory beyond the size of the request`;

/** Sends a case to a server with a small heap, and checks the response and the memory. Returns the longest time in milliseconds. */
async function testMemory(t: TestContext, server: MeasuredServer | undefined, limitCase: LimitCase): Promise<number> {
  assert.ok(server);
  const { status, text, longestMs, externalBytes } = await server.cost(limitCase);
  assert.equal(status, limitCase.status, text.slice(0, 300));
  t.diagnostic(`external: ${(externalBytes / MB).toFixed(1)} MB; longest wait ${longestMs.toFixed(0)} ms`);
  assert.ok(externalBytes <= mostExternalBytes, `${externalBytes} bytes outside the heap`);
  return longestMs;
}

async function clear(server: MeasuredServer): Promise<void> {
  for (const request of clearing) await server.send(request);
}

describe('the memory of a large request, and the longest time for which it blocks other requests', () => {
  /** A server with the default heap. The first case that needs this server starts it. */
  let unlimited: Promise<MeasuredServer> | undefined;
  after(async () => (await unlimited)?.[Symbol.asyncDispose]());

  const startUnlimited = async (): Promise<MeasuredServer> => {
    const server = await MeasuredServer.start();
    for (const request of preparing) await server.send(request);
    return server;
  };
  const testTime = async (t: TestContext, limitCase: LimitCase): Promise<void> => {
    unlimited ??= startUnlimited();
    const server = await unlimited;
    t.after(() => clear(server));
    for (let left = measurements; ; left -= 1) {
      const { status, text, ...cost } = await server.cost(limitCase);
      assert.equal(status, limitCase.status, text.slice(0, 300));
      if (left > 1 && !isWithin(cost)) await clear(server);
      else return assertCost(t, cost);
    }
  };

  for (const [name, cases] of Object.entries(themes)) {
    describe(name, () => {
      let server: MeasuredServer | undefined;
      /**
       * A case that takes at most this number of milliseconds in a small heap meets the time limit. In a small heap, garbage collection
       * makes requests and the calibration slower. Therefore, this time is not increased on a slow machine.
       */
      let provenMs = 0;
      before(async () => {
        provenMs = Math.min(mostMs, limitMs(calibrationMs())) * provenShare;
        server = await startSmallHeap(preparing);
      });
      after(() => server?.[Symbol.asyncDispose]());

      for (const limitCase of cases) {
        let longestMs = Number.POSITIVE_INFINITY;
        test(memoryOf(limitCase.name), async (t) => {
          longestMs = await testMemory(t, server, limitCase);
          if (server !== undefined) await clear(server);
        });
        test(`other requests wait for at most ${mostMs} ms while the server handles ${limitCase.name}`, async (t) => {
          if (longestMs > provenMs) await testTime(t, limitCase);
          else t.diagnostic(`longest wait in a small heap: ${longestMs.toFixed(0)} ms of ${provenMs.toFixed(0)} ms`);
        });
      }
    });
  }
});

describe('the memory of a read', () => {
  let server: MeasuredServer | undefined;
  before(async () => {
    server = await startSmallHeap(reading);
  });
  after(() => server?.[Symbol.asyncDispose]());

  for (const readCase of readCases)
    test(memoryOf(readCase.name), async (t) => void (await testMemory(t, server, readCase)));
});
