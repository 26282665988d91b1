// One queue replaces the four queues of client-go: plain, delayed, rate limited and with priorities. Only one worker at a time processes a
// key.
import { exponential, WorkQueue } from '@kubewright/runtime';

const backoff = exponential({ initial: '10ms', max: '1s' });
const queue = new WorkQueue<string>({ delayRule: backoff });

console.log('plain');
for (const key of ['a', 'b', 'a']) queue.add(key);
console.log(`  added a, b and a: ${queue.length} keys are ready`);
await take();
queue.add('a');
console.log(`  added a again while a is processed: ${queue.length} key is ready`);
queue.done('a');
console.log(`  a is done and ready again: ${queue.length} keys are ready`);
console.log(`  order: ${await takeAll(2)}`);

console.log('delayed');
queue.add('tomorrow', { after: '1d' });
queue.add('soon', { after: '20ms' });
console.log(`  added two keys: ${queue.length} are ready, ${queue.stats().delayed} are delayed`);
console.log(`  first key: ${await takeAll(1)}`);
queue.add('tomorrow', { after: '20ms' });
console.log(`  next key, after it was added with a shorter delay: ${await takeAll(1)}`);

console.log('rate limited');
queue.add('flaky');
for (let failures = 0; failures < 3; failures++) {
  const { attempt } = await take();
  console.log(`  attempt ${attempt} of flaky fails; retry after ${backoff(failures)} ms`);
  queue.add('flaky', { rateLimited: true });
  queue.done('flaky');
}
console.log(`  attempt ${(await take()).attempt} succeeds; forget resets the failures`);
queue.forget('flaky');
queue.done('flaky');

console.log('with priority');
queue.add('low', { priority: -1 });
queue.add('normal');
queue.add('high', { priority: 10 });
console.log(`  order: ${await takeAll(3)}`);

console.log('shut down');
queue.add('last');
const drained = queue.shutDown({ drain: true });
queue.add('too late');
console.log(`  pending keys are still returned: ${await takeAll(1)}`);
await drained;
console.log(`  then get returns ${await queue.get()}`);

async function take() {
  const item = await queue.get();
  if (item === undefined) throw new Error('the queue is shut down');
  return item;
}
/** Takes the given number of keys one after the other, and marks each key as done. */
async function takeAll(count: number): Promise<string> {
  const keys: string[] = [];
  while (keys.length < count) keys.push((await take()).key);
  for (const key of keys) queue.done(key);
  return keys.join(', ');
}
