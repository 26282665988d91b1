import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { celCases } from './cel-cases.js';
import { crdCases, storedDefinitionCases } from './crd-cases.js';
import { errorsCases } from './errors-cases.js';
import type { LimitCase, LimitRequest } from './limit-case.js';
import { limitCases } from './limit-cases.js';
import { longCallsCases } from './long-calls-cases.js';
import { MeasuredServer } from './measured-server.js';
import { clearing, preparing } from './prepared-server.js';
import { protobufCases } from './protobuf-cases.js';
import { rulesCases } from './rules-cases.js';
import { otherNamespace, readCases, seeds } from './reads-cases.js';
import { subresourceCases } from './subresource-cases.js';

const MB = 1024 * 1024;
/** Size of the largest body in MB. */
const bodyMB = 3;
/** The memory in MB that a request may use in addition to its body. */
const requestMB = 64;
/** The share of `requestMB` outside of the V8 heap, for buffers. Node.js 24 also stores long strings outside of the heap. */
const externalMB = Number.parseInt(process.versions.node, 10) >= 24 ? 18 : 14;
const heapMB = requestMB - externalMB;
/** Size of the young generation of the heap in MB, which does not count towards `--max-old-space-size`. */
const newSpaceMB = 6;
const semiSpaceMB = newSpaceMB / 3;
/** The smallest event log that the server accepts. A larger log would keep deleted objects in memory. */
const eventLogSize = 1;
/** In a small heap, the seeds exceed the default storage quota of the server. The limit of the heap still applies. */
const storageQuotaBytes = 1024 * MB;

/** Cases that share a server. */
interface Theme {
  readonly cases: readonly LimitCase[];
  /** Requests before the first case. */
  readonly before: readonly LimitRequest[];
  /** Requests after each case. */
  readonly afterEach: readonly LimitRequest[];
}

const writes = (cases: readonly LimitCase[]): Theme => ({ cases, before: preparing, afterEach: clearing });

/** Each theme has its own server, because the server caches compiled patterns and generated documents. */
const themes: Readonly<Record<string, Theme>> = {
  limitCases: writes(limitCases),
  celCases: writes(celCases),
  crdCases: writes(crdCases),
  storedDefinitionCases: writes(storedDefinitionCases),
  errorsCases: writes(errorsCases),
  longCallsCases: writes(longCallsCases),
  protobufCases: writes(protobufCases),
  rulesCases: writes(rulesCases),
  subresourceCases: writes(subresourceCases),
  readCases: { cases: readCases, before: [otherNamespace, ...seeds], afterEach: [] },
};

/** Starts a server whose heap cannot grow beyond the given size. V8 ends a process that exceeds it. */
async function startServer({ before: preparation }: Theme, sizeMB?: number): Promise<MeasuredServer> {
  const flags = sizeMB === undefined ? [] : [`--max-old-space-size=${sizeMB - newSpaceMB}`];
  const server = await MeasuredServer.start({
    flags: [...flags, `--max-semi-space-size=${semiSpaceMB}`],
    eventLogSize,
    storageQuotaBytes,
  });
  try {
    for (const request of preparation) {
      const { status, text } = await server.send(request);
      assert.equal(status, 201, `${request.method} ${request.path}: ${text.slice(0, 300)}`);
    }
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

for (const [name, theme] of Object.entries(themes)) {
  describe(`a request takes at most ${requestMB} MB beyond its size: ${name}`, () => {
    let server: MeasuredServer | undefined;
    let startMB = 0;

    before(async () => {
      await using unlimited = await startServer(theme);
      startMB = Math.ceil((await unlimited.heapBytes()) / MB);
      server = await startServer(theme, startMB + heapMB);
    });
    after(() => server?.[Symbol.asyncDispose]());

    for (const limitCase of theme.cases) {
      test(limitCase.name, async (t) => {
        assert.ok(server);
        const { status, text, externalBytes } = await server.cost(limitCase);
        assert.equal(status, limitCase.status, text.slice(0, 300));
        t.diagnostic(`heap at the start: ${startMB} MB; external: ${(externalBytes / MB).toFixed(1)} MB`);
        assert.ok(externalBytes <= (externalMB + bodyMB) * MB, `${externalBytes} bytes outside the heap`);
        for (const request of theme.afterEach) await server.send(request);
      });
    }
  });
}
