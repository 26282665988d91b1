import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, metadataOnly } from '@kubewright/api';
import { Disk, disk, Machine } from '../../test-support/controller-bench.js';
import { WatchBench } from '../../test-support/watch-bench.js';
import { resolveControllerOptions } from './resolved-options.js';
import { Channel } from '../sources/channel.js';
import { sourceOf } from '../sources/source-of.js';
import { owned, references, watch } from '../watches/watch-declaration.js';

const resolve = (options: object): ReturnType<typeof resolveControllerOptions> =>
  resolveControllerOptions(options as never);
function refused(options: object, message: RegExp): void {
  assert.throws(() => resolve(options), { code: 'INVALID_CONTROLLER', message });
}
const watches = [watch<KubeObject>(Disk, { map: () => [] })];

test('[BD-01] rejects two kinds for one controller', () => {
  refused({ for: [Machine, Disk], name: 'vm' }, /controller 'vm': 'for' is not a valid kind: /);
});

test('[BD-02, CN-01] rejects a controller that has neither a kind nor a name', () => {
  refused({ watches }, /controller '\(unnamed\)': neither 'for' nor 'name' is set: set 'for'/);
  assert.equal(resolve({ for: Machine }).name, 'machine', 'the name is derived from the kind');
});

test('[BD-03, BD-08] rejects `owns` in a controller without a kind', () => {
  refused({ name: 'orphans', owns: [Disk] }, /controller 'orphans': 'owns' requires 'for'/);
  refused(
    { name: 'orphans', watches: [owned(Disk)] },
    /use watch\(…\) for every watch: owned\(…\) and references\(…\) require the option 'for'/,
  );
  refused({ name: 'orphans', watches, finalizer: 'a.b/c' }, /'finalizer' requires 'for'/);
});

test('rejects a kind instead of a watch, and a function instead of an index', () => {
  refused(
    { for: Machine, watches: [Disk as never] },
    /watches is .*: specify which objects a Disk affects, with references\(Disk, …\) or watch\(Disk, \{ map \}\), or list Disk under 'owns' or 'reads'$/,
  );
  refused(
    { for: Machine, indexes: [(() => 'a') as never] },
    /indexes is .*: it must be a list of indexes, such as \[index\(Kind, 'name', …\)\]$/,
  );
});

test('[BD-04] rejects a controller that has no kind, no watches and no sources', () => {
  refused({ name: 'idle' }, /controller 'idle': nothing triggers a reconcile: set 'for', 'watches' or 'sources'/);
});

test('[BD-06] rejects a value that is not a kind, in a controller without a name', () => {
  class Forgotten {}
  refused({ for: Forgotten }, /'for' is not a valid kind: .*Forgotten/);
});

test('[BD-15] rejects a reconciler among the options, and unknown options', () => {
  refused({ for: Machine, name: 'vm', reconciler: {} }, /controller 'vm': unknown option 'reconciler': use one of/);
  refused({ for: Machine, name: 'vm', concurency: 2 }, /unknown option 'concurency'/);
});

test('rejects the old name of a renamed option, and reports the new name', () => {
  refused(
    { for: Machine, name: 'vm', patience: '1m' },
    /controller 'vm': unknown option 'patience'; it is now 'starvationLimit'$/,
  );
  refused({ for: Machine, name: 'vm', errorCondition: false }, /'errorCondition'; it is now 'reconcileCondition'$/);
});

test('[BD-11, BD-13, CN-11, CN-21, CN-24, CN-30] applies the given concurrency, limits and timeouts', () => {
  const rule = (): number => 7;
  const options = resolve({
    for: Machine,
    concurrency: 5,
    backoff: rule,
    retryLimit: { perSecond: 3, burst: 4 },
    syncTimeout: '9s',
    timeout: '8s',
  });
  assert.equal(options.concurrency, 5);
  assert.equal(options.delayRule, rule);
  assert.deepEqual(options.retryLimit, { perSecond: 3, burst: 4 });
  assert.deepEqual([options.syncTimeoutMs, options.timeoutMs], [9000, 8000]);
});

test('[CN-10, CN-16, CN-20, CN-23, CN-25] defaults to one worker, leaderOnly, a syncTimeout of 2 min, and back-off from 5 ms to 1000 s', () => {
  const { concurrency, leaderOnly, warmUp, syncTimeoutMs, timeoutMs, delayRule, starvationLimitMs, retryLimit } =
    resolve({
      for: Machine,
    });
  assert.deepEqual([concurrency, leaderOnly, warmUp, syncTimeoutMs, timeoutMs], [1, true, true, 120_000, undefined]);
  assert.deepEqual([delayRule(0), delayRule(1), delayRule(100)], [5, 10, 1_000_000]);
  assert.deepEqual([retryLimit, starvationLimitMs], [undefined, 60_000], 'priorities are honored, and no key starves');
});

test('[CN-17, CN-27] applies the given leaderOnly and warmUp', () => {
  assert.equal(resolve({ for: Machine, leaderOnly: false }).leaderOnly, false);
  assert.equal(resolve({ for: Machine, warmUp: false }).warmUp, false);
});

test('rejects each option that is out of range, and names the controller, the option and the fix', () => {
  const wrong: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    concurrency: [1.5, /concurrency is 1.5: it must be a positive integer/],
    every: ['0s', /every is '0s': it must be a duration greater than 0/],
    timeout: [
      'soon',
      /timeout is 'soon': it must be a duration greater than 0, such as '30s'; omit the option to disable it/,
    ],
    backoff: [{ initial: '2s', max: '1s' }, /backoff is .*: initial must not be longer than max/],
    retryLimit: [{ perSecond: Number.NaN }, /retryLimit is \{ perSecond: NaN \}/],
    debounce: [5, /debounce is 5: it must be a duration/],
    starvationLimit: [true, /starvationLimit is true: it must be a duration/],
    maxAttempts: [0, /maxAttempts is 0: it must be a positive integer; omit it for no limit/],
    minInterval: ['-1s', /minInterval is '-1s'/],
    priority: [5, /priority is 5: it must be a function/],
    finalizer: ['mine', /finalizer is 'mine': it must have the form 'example\.com\/name'/],
    reconcileCondition: [true, /reconcileCondition is true: it must be a non-empty string/],
    hotLoops: ['on', /hotLoops is 'on': use 'damp', 'warn' or false/],
    failFast: ['yes', /failFast is 'yes': it must be true or false/],
    namespaces: [[], /namespaces is \[\]: it must be a non-empty list of namespace names/],
    syncTimeout: ['0s', /syncTimeout is '0s': .* or false for no limit/],
    leaderOnly: [1, /leaderOnly is 1/],
    warmUp: ['true', /warmUp is 'true'/],
    when: ['always', /when is 'always': it must be a function/],
    owns: [Disk, /owns is a function: it must be a list/],
    reads: [['Disk'], /reads is \[ 'Disk' \]: /],
    logger: [{}, /logger is \{\}: it must be a function/],
    name: ['Not A Name', /controller 'Not A Name': its name is also a label value/],
  };
  for (const [option, [value, message]] of Object.entries(wrong)) {
    refused({ for: Machine, name: 'vm', [option]: value }, message);
  }
});

test('[BD-05, BD-09] a controller without a kind reconciles the keys of its watches and sources', async () => {
  const channel = new Channel<{ name: string; namespace?: string }>();
  const bench = await WatchBench.open(
    {
      name: 'tenants',
      sources: [sourceOf('directory', channel)],
      watches: [watch<KubeObject>(Disk, { map: ({ metadata }) => [{ name: `disk of ${metadata.name}` }] })],
    },
    { byKey: true, disks: [disk('d')] },
  );
  assert.deepEqual(await bench.start(), ['disk of d']);
  await channel.send({ name: 'sales' });
  await channel.send({ namespace: 'europe', name: 'sales' });
  await channel.send({ namespace: 'a/b', name: 'refused' });
  assert.deepEqual(await bench.reconciled(), ['disk of d', 'sales', 'sales']);
  assert.deepEqual(bench.runner.unready(), []);
  assert.match(bench.errors.join(), /has a slash in its name or namespace/);
});

test('a kind in `owns` or `reads`, and every watch, can be optional', () => {
  const optional = { kind: Disk, optional: true };
  const { watches: declared, reads } = resolve({
    for: Machine,
    owns: [Disk, optional, { kind: Disk }, owned(Disk, { optional: true })],
    watches: [
      references(Disk, () => 'a', { optional: true }),
      watch<KubeObject>(Disk, { map: () => [], optional: true }),
    ],
    reads: [Disk, optional, { kind: Disk }],
  });
  assert.deepEqual(
    declared.map(({ type, optional: isOptional = false }) => `${type} ${isOptional}`),
    ['owned false', 'owned true', 'owned false', 'owned true', 'references true', 'watch true'],
  );
  assert.deepEqual(
    reads.map((read) => read.optional),
    [false, true, false],
  );
});

test('rejects an optional kind with an unknown field or without a kind', () => {
  const wrong: readonly (readonly [options: object, message: RegExp])[] = [
    [
      { owns: [{ kind: Disk, optonal: true }] },
      /owns is .*: unknown field 'optonal' next to 'kind': use \{ kind, optional: true \}/,
    ],
    [{ owns: [{ kind: Disk, optional: 'yes' }] }, /owns is .*: 'optional' must be true or false/],
    [{ owns: [{ kind: 'Disk', optional: true }] }, /owned\(…\) has no valid kind/],
    [{ reads: [{ kind: Disk, optional: 1 }] }, /reads is .*: 'optional' must be true or false/],
    [{ reads: [{ kind: 'Disk', optional: true }] }, /reads is .*'Disk'/],
    [
      { watches: [{ kind: Disk, optional: true }] },
      /: \{ kind: …, optional: … \} is not a watch: use a kind, owned\(…\), references\(…\) or watch\(…\)/,
    ],
    [{ owns: [owned(Disk, { optional: 'no' as never })] }, /'optional' of owned\(Disk\) must be true or false/],
  ];
  for (const [options, message] of wrong) refused({ for: Machine, name: 'vm', ...options }, message);
});

test('accepts metadata-only kinds in `for`, `owns`, `watches` and `reads`', () => {
  const bare = metadataOnly(Disk);
  const { kindName, watches: declared } = resolve({
    for: metadataOnly(Machine),
    name: 'vm',
    owns: [bare],
    watches: [watch(bare, { map: () => [] })],
    reads: [bare],
  });
  assert.deepEqual([kindName, declared.map(({ type }) => type)], ['Machine', ['owned', 'watch']]);
});
