// One queue replaces the four queues of client-go: plain, delayed, rate limited and with priorities. Only one worker at a time processes a
// key.
import { exponential, WorkQueue } from '@kubewright/runtime';

const backoff = exponential({ initial: '10ms', max: '1s' });
const queue = new WorkQueue<string>({ delayRule: backoff });

console.log('plain');
for (const key of ['a', 'b', 'a']) queue.add(key);
console.log(`  added a, b and a: ${queue.length} keys wait`);
await take();
queue.add('a');
console.log(`  a is worked on, and added again: ${queue.length} key waits`);
queue.done('a');
console.log(`  a is done, and comes again: ${queue.length} keys wait`);
console.log(`  in the order ${await takeAll(2)}`);

console.log('delayed');
queue.add('tomorrow', { after: '1d' });
queue.add('soon', { after: '20ms' });
console.log(`  two keys were added: ${queue.length} are ready, ${queue.stats().delayed} wait for their time`);
console.log(`  first comes ${await takeAll(1)}`);
queue.add('tomorrow', { after: '20ms' });
console.log(`  asked for again with less delay, ${await takeAll(1)} comes today`);

console.log('rate limited');
queue.add('flaky');
for (let failures = 0; failures < 3; failures++) {
  const { attempt } = await take();
  console.log(`  attempt ${attempt} of flaky fails; again after ${backoff(failures)} ms`);
  queue.add('flaky', { rateLimited: true });
  queue.done('flaky');
}
console.log(`  attempt ${(await take()).attempt} goes well, and its failures are forgotten`);
queue.forget('flaky');
queue.done('flaky');

console.log('with priority');
queue.add('low', { priority: -1 });
queue.add('normal');
queue.add('high', { priority: 10 });
console.log(`  in the order ${await takeAll(3)}`);

console.log('shut down');
queue.add('last');
const drained = queue.shutDown({ drain: true });
queue.add('too late');
console.log(`  what waits is still handed out: ${await takeAll(1)}`);
await drained;
console.log(`  then there is nothing: ${await queue.get()}`);

async function take() {
  const item = await queue.get();
  if (item === undefined) throw new Error('the queue was shut down');
  return item;
}
/** Takes the given number of keys one after the other, and marks each key as done. */
async function takeAll(count: number): Promise<string> {
  const keys: string[] = [];
  while (keys.length < count) keys.push((await take()).key);
  for (const key of keys) queue.done(key);
  return keys.join(', ');
}
