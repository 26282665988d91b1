import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Result, withLevelsOf } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { multistream, pino } from 'pino';

type Line = Readonly<Record<string, unknown>>;

test('[OT-12] the logger of a reconcile supports the custom levels, child loggers, and options of the given pino instance', async () => {
  await using env = await TestEnvironment.start();
  const lines: Record<'all' | 'errors', Line[]> = { all: [], errors: [] };
  const to = (target: Line[]) => ({ write: (line: string) => void target.push(JSON.parse(line) as Line) });
  const logger = pino(
    { customLevels: { audit: 35 }, redact: ['owner'], serializers: { map: ({ data }: ConfigMap) => data } },
    multistream([
      { level: 'info', stream: to(lines.all) },
      { level: 'error', stream: to(lines.errors) },
    ]),
  );
  const manager = env.manager({ logger }).control({ for: ConfigMap, name: 'map' }, async (map, { log }) => {
    const child = withLevelsOf(log, logger).child({ step: 'check' });
    child.audit('checked', { map, owner: 'jane', password: 'secret' });
    child.error('refused');
    return Result.done();
  });
  await manager.start();
  await env.client.create(new ConfigMap({ metadata: { namespace: 'default', name: 'a' }, data: { key: 'value' } }));
  await env.settled();
  const line = lines.all.find(({ msg, object }) => msg === 'checked' && object === 'ConfigMap default/a');
  assert.ok(line);
  const { level, controller, step, map, owner, password, reconcileId } = line;
  assert.deepEqual([level, controller, step, owner, password], [35, 'map', 'check', '[Redacted]', '***']);
  assert.deepEqual(map, { key: 'value' });
  assert.ok(reconcileId);
  const refused = lines.errors.filter(({ object }) => object === 'ConfigMap default/a');
  assert.deepEqual(
    refused.map(({ msg, step: of }) => [msg, of]),
    [['refused', 'check']],
  );
});
