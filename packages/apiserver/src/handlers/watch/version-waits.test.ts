import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UnreachedVersionError } from '../../registry/requests/status-errors.js';
import { ApiServer } from '../../server/api-server.js';
import { SteppedClock } from '../../server/cluster.test.support.js';
import { RawClient } from '../../server/raw-client.test.support.js';
import { Store } from '../../storage/store.js';
import { VersionWaits } from './version-waits.js';

const bucket = '/configmaps';
const object = { metadata: { name: 'a', namespace: 'default', uid: 'u' } };
const path = '/api/v1/namespaces/default/configmaps';

describe('waiting for a version', () => {
  test('a wait ends when the version is written', async () => {
    const store = new Store();
    const waits = new VersionWaits(store, new SteppedClock(), () => undefined);
    const read = waits.retry(() => {
      if (store.resourceVersion === '1') throw new UnreachedVersionError('2', '1');
      return store.resourceVersion;
    });
    assert.equal(waits.retrying, 1);
    store.create(bucket, object);
    assert.equal(await read, '2');
    assert.equal(waits.retrying, 0);
  });

  test('a wait retries after three seconds, and ends with the error of the retry', async () => {
    const store = new Store();
    const clock = new SteppedClock();
    const waits = new VersionWaits(store, clock, () => undefined);
    let requested = 0;
    const read = waits.retry(() => {
      requested += 1;
      throw new UnreachedVersionError('9', store.resourceVersion);
    });
    clock.advance(2999);
    assert.equal(requested, 1);
    clock.advance(1);
    await assert.rejects(read, UnreachedVersionError);
    assert.equal(requested, 2);
  });

  test('a wait calls its callback once, and not after a cancellation', () => {
    const store = new Store();
    const clock = new SteppedClock();
    const waits = new VersionWaits(store, clock, () => undefined);
    const called: string[] = [];
    waits.wait('2', () => called.push('kept'));
    waits.wait('2', () => called.push('ended'))();
    waits.wait('3', () => called.push('later'));
    store.create(bucket, object);
    waits.stop();
    clock.advance(3000);
    assert.deepEqual(called, ['kept']);
  });

  test('a wait does not retry other errors', async () => {
    const waits = new VersionWaits(new Store(), new SteppedClock(), () => undefined);
    const refused = waits.retry(() => {
      throw new RangeError('no');
    });
    await assert.rejects(refused, RangeError);
  });
});

describe('an API server', () => {
  test('returns 504 if the store does not reach the requested version within three seconds', async () => {
    const clock = new SteppedClock();
    await using server = await ApiServer.start({ clock });
    // The waiting request notifies the listener, and is not pending work of the server.
    const pending: (readonly string[])[] = [];
    server.onActivity(() => {
      pending.push(server.pending());
      clock.advance(3000);
    });
    const { status, headers, body } = await new RawClient(server).get(`${path}/a?resourceVersion=900000000`);
    assert.equal(status, 504);
    assert.equal(headers['retry-after'], '1');
    assert.equal(body['reason'], 'Timeout');
    assert.ok(pending.some((names) => names.length === 0));
  });

  test('sends an ERROR event in a streaming list whose version is not reached', async () => {
    const clock = new SteppedClock();
    await using server = await ApiServer.start({ clock });
    server.onActivity(() => clock.advance(3000));
    const query = '?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=900000000';
    const [event] = await new RawClient(server).eventsUntil(`${path}${query}`, () => true);
    assert.equal(event?.type, 'ERROR');
    assert.equal(event.object['code'], 504);
  });
});
