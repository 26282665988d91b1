import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PacedRequests, RATE } from './paced-requests.js';
import { ServingReplica } from './serving-replica.js';
import { ShopCluster } from './shop-cluster.js';

const SERVING_ROTATIONS = 20;
const CA_ROTATIONS = 5;
/** The real time in seconds for each step of the test clock. A step takes longer if the machine is too slow for the rate. */
const STEP_SECONDS = 0.1;
/** The number of requests per step of the clock. */
const REQUESTS_PER_STEP = RATE * STEP_SECONDS;
/** The number of complete steps of 4 min in two thirds of the lifetime of a serving certificate. The kills use a part of this time. */
const STEPS_PER_ROTATION = 9;
/** The number of steps after which a replica is killed and replaced. The number is odd, so that kills happen in different phases. */
const STEPS_PER_KILL = 23;
/** Shorter lifetimes than in other tests, because each step of the clock waits for requests. */
const LIFETIMES = { lifetime: '1h', authorityLifetime: '3h', distribution: '5m' } as const;

test('two replicas rotate their certificates under 200 requests per second while replicas are killed, and no request fails', async (t) => {
  await using cluster = await ShopCluster.start();
  const start = (): Promise<ServingReplica> => ServingReplica.start(cluster, LIFETIMES);
  const serving = [await start(), await start()];
  const authorities = new Set<string>();
  const requests = new PacedRequests(cluster, () => serving.map(({ port }) => port));
  let step = 0;
  try {
    const isDone = (): boolean =>
      requests.failures.length > 0 ||
      (requests.certificates.size > SERVING_ROTATIONS && authorities.size > CA_ROTATIONS);
    for (; !isDone(); step++) {
      const [bundle = ''] = await requests.readBundles();
      authorities.add(bundle.slice(0, bundle.indexOf('-----END')));
      const until = requests.count + REQUESTS_PER_STEP;
      // A request spans at most one step of 4 min, which is shorter than the distribution of a new CA.
      const before = requests.ended();
      await cluster.advance('4m');
      await before;
      await requests.until(until);
      if (step % STEPS_PER_KILL === STEPS_PER_KILL - 1) await replace(serving, { cluster, requests, start });
    }
    const { count, seconds, handshakes } = requests;
    t.diagnostic(`${count} requests in ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} per second`);
    t.diagnostic(`${handshakes} handshakes, ${step} steps, ${Math.floor(step / STEPS_PER_KILL)} killed replicas`);
    t.diagnostic(`${requests.certificates.size} serving certificates, ${authorities.size} CAs`);
  } finally {
    await requests.stop();
    for (const replica of serving) await replica[Symbol.asyncDispose]();
  }
  assert.deepEqual(requests.failures, []);
  const perRotation = requests.count / (requests.certificates.size - 1);
  assert.ok(perRotation >= REQUESTS_PER_STEP * STEPS_PER_ROTATION, `only ${perRotation} requests per rotation`);
  assert.ok(step > STEPS_PER_KILL, 'no replica was killed');
});

/** Kills the first replica while the clock advances, removes it from the Service, and starts another replica. */
async function replace(
  serving: ServingReplica[],
  using: {
    readonly cluster: ShopCluster;
    readonly requests: PacedRequests;
    readonly start: () => Promise<ServingReplica>;
  },
): Promise<void> {
  const { cluster, requests, start } = using;
  const [killed] = serving.splice(0, 1);
  const advanced = cluster.advance('2m');
  killed?.replica.kill();
  await advanced;
  await requests.ended();
  await killed?.[Symbol.asyncDispose]();
  await killed?.replica[Symbol.asyncDispose]();
  cluster.replicas.splice(0, 1);
  serving.push(await start());
}
