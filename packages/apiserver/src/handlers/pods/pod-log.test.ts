import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { stringAt } from '../../registry/objects/json-object.js';
import { systemContext } from '../../registry/requests/request-context.js';
import { ApiServer } from '../../server/api-server.js';
import type { AnswerStream } from '../answers/answer.js';
import { logAnswer } from './pod-log.js';

/** Records what a handler sends. */
class RecordedStream implements AnswerStream {
  readonly isFull = false;
  text = '';
  isEnded = false;
  readonly #onClose: (() => void)[] = [];

  write(text: string | Uint8Array): void {
    this.text += Buffer.from(text).toString();
  }
  end(): void {
    this.isEnded = true;
  }
  cut(): void {
    this.end();
  }
  abort(): void {
    this.end();
  }
  onDrain(): void {
    // The stream is never full.
  }
  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }
  close(): void {
    for (const listener of this.#onClose) listener();
  }
}

test('a followed log selects only the lines at its start by their number and time, and limits the length of all lines', async () => {
  await using server = await ApiServer.start({ workloads: ['pods'] });
  const { registry, pods: simulated } = server;
  const pods = registry.builtIn('/v1/pods');
  const metadata = { name: 'a', namespace: 'default' };
  simulated.behave({ name: 'a' }, { logs: 'one\ntwo\n' });
  const running = new Promise<ApiObject>((resolve) => {
    const stop = server.onActivity(() => {
      const pod = pods.find(metadata);
      if (pod === undefined || stringAt(pod, 'status', 'phase') !== 'Running') return;
      stop();
      resolve(pod);
    });
  });
  pods.create({ metadata, spec: { containers: [{ name: 'c', image: 'i' }] } }, systemContext('test', 'create'));
  const source = { pod: await running, container: 'c', registry, simulated };
  const followed = (query: string): RecordedStream => {
    const answer = logAnswer(new URLSearchParams(`follow=true&${query}`), source);
    assert.equal(answer.kind, 'stream');
    const stream = new RecordedStream();
    if (answer.kind === 'stream') answer.run(stream);
    return stream;
  };
  const [all, last, later, short] = ['', 'tailLines=1', 'sinceTime=2999-01-01T00:00:00Z', 'limitBytes=11'].map(
    followed,
  );
  const texts = () => [all, last, later, short].map((stream) => stream?.text);
  assert.deepEqual(texts(), ['one\ntwo\n', 'two\n', '', 'one\ntwo\n']);
  simulated.behave({ name: 'a' }, { logs: 'one\ntwo\nthree\nfour\n' });
  assert.deepEqual(texts(), ['one\ntwo\nthree\nfour\n', 'two\nthree\nfour\n', 'three\nfour\n', 'one\ntwo\nthr']);
  assert.deepEqual([all?.isEnded, short?.isEnded], [false, true]);
  pods.delete(metadata, { gracePeriodSeconds: 0 }, systemContext('test', 'delete'));
  assert.deepEqual([all?.isEnded, last?.isEnded, later?.isEnded], [true, true, true]);
  assert.equal(followed('').isEnded, true);
  for (const stream of [all, last, later, short]) stream?.close();
});
