import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrival } from './arrival.js';
import { assertCost, isWithin } from './assert-cost.js';
import { configMap, configMaps, json } from './case-bodies.js';
import type { LimitRequest } from './limit-case.js';
import { type Cost, MeasuredServer } from './measured-server.js';
import { mostMs } from './most-ms.js';

/** The number of measurements after which a case fails. Other work on the machine can only make a measurement longer. */
const measurements = 3;

/** A write that causes the controllers of the server to write large objects. */
export interface ControllerCase {
  readonly name: string;
  /** The requests that prepare the write. The uid is that of the ConfigMap `owner`. @default none */
  readonly before?: (uid: string) => readonly LimitRequest[];
  readonly request: LimitRequest;
  /** The path of the watched collection. */
  readonly path: string;
  /** Selector of the watched objects. @default the object `large` */
  readonly selector?: string;
  /** Text of the event that shows that the controllers have written the objects. */
  readonly written: string;
}

/** Returns a request that creates an object. */
export const post = (path: string, body: object): LimitRequest => ({
  method: 'POST',
  path,
  type: json,
  body: JSON.stringify(body),
});
/** Returns a request that deletes an object. */
export const remove = (path: string): LimitRequest => ({ method: 'DELETE', path });

/** Sends a request that the server must accept. Returns the response body. */
export async function succeed(server: MeasuredServer, request: LimitRequest): Promise<string> {
  const { status, text } = await server.send(request);
  assert.ok(status < 300, `${request.method} ${request.path}: ${status} ${text.slice(0, 300)}`);
  return text;
}

/** Tests that the controllers never block other requests for longer than the limit. Each measurement starts a new server. */
export function testControllerCase(controllerCase: ControllerCase, options: { readonly workloads: boolean }): void {
  void test(`other requests wait for at most ${mostMs} ms while the controllers handle ${controllerCase.name}`, async (t) => {
    for (let left = measurements; ; left -= 1) {
      await using server = await MeasuredServer.start(options);
      const cost = await costOf(server, controllerCase);
      if (left === 1 || isWithin(cost)) return assertCost(t, cost);
    }
  });
}

async function costOf(server: MeasuredServer, controllerCase: ControllerCase): Promise<Cost> {
  const { before, request, path, selector = 'fieldSelector=metadata.name%3Dlarge', written } = controllerCase;
  const text = await succeed(server, post(configMaps, configMap({}, { name: 'owner' })));
  const { metadata } = JSON.parse(text) as { readonly metadata: { readonly uid: string } };
  for (const each of before?.(metadata.uid) ?? []) await succeed(server, each);
  const session = await server.connect();
  const watched = await server.open(session, `${path}?watch=1&resourceVersion=0&${selector}`);
  const { cost } = await server.costOf(async () => {
    const arrived = arrival(watched, written);
    await succeed(server, request);
    await arrived;
  });
  session.destroy();
  return cost;
}
