import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { celCases } from './cel-cases.js';
import { crdCases, storedDefinitionCases } from './crd-cases.js';
import { errorsCases } from './errors-cases.js';
import { limitCases } from './limit-cases.js';
import { MeasuredServer } from './measured-server.js';
import { clearing, preparing } from './prepared-server.js';
import { protobufCases } from './protobuf-cases.js';
import { subresourceCases } from './subresource-cases.js';

const MB = 1024 * 1024;
/** The largest body. */
const bodyMB = 3;
/** The memory that a request may take beyond its body: in the heap of V8, and outside of it, where its body is, for buffers. */
const heapMB = 50;
const externalMB = 14;
/** The space of the heap for new objects, which does not count for the limit of the old space. */
const newSpaceMB = 6;
const semiSpaceMB = newSpaceMB / 3;
/** Events keep objects that are deleted. One event is the least that the server accepts. */
const eventLogSize = 1;

/** Each theme has a server of its own, because the server keeps patterns that it has compiled and documents that it has built. */
const themes = { limitCases, celCases, crdCases, storedDefinitionCases, errorsCases, protobufCases, subresourceCases };

/** Starts a server whose heap cannot grow beyond the given size. V8 ends a process that needs more. */
async function startServer(sizeMB?: number): Promise<MeasuredServer> {
  const flags = sizeMB === undefined ? [] : [`--max-old-space-size=${sizeMB - newSpaceMB}`];
  const server = await MeasuredServer.start({
    flags: [...flags, `--max-semi-space-size=${semiSpaceMB}`],
    eventLogSize,
  });
  for (const request of preparing) await server.send(request);
  return server;
}

for (const [theme, cases] of Object.entries(themes)) {
  describe(`a request takes at most ${heapMB + externalMB} MB beyond its size: ${theme}`, () => {
    let server: MeasuredServer;
    let startMB = 0;

    before(async () => {
      await using unlimited = await startServer();
      startMB = Math.ceil((await unlimited.heapBytes()) / MB);
      server = await startServer(startMB + heapMB);
    });
    after(() => server[Symbol.asyncDispose]());

    for (const limitCase of cases) {
      test(limitCase.name, async (t) => {
        const { status, text, externalBytes } = await server.cost(limitCase);
        assert.equal(status, limitCase.status, text.slice(0, 300));
        t.diagnostic(`heap at the start: ${startMB} MB; external: ${(externalBytes / MB).toFixed(1)} MB`);
        assert.ok(externalBytes <= (externalMB + bodyMB) * MB, `${externalBytes} bytes outside of the heap`);
        for (const request of clearing) await server.send(request);
      });
    }
  });
}
