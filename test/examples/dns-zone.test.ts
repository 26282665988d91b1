import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DnsServer, DnsZone, isConverged } from '@kubewright/example-dns-zone';
import { isInvalid } from '@kubewright/runtime';
import { RunningExample } from './running-example.js';

test('dns-zone behaves as its README describes', async (t) => {
  await using dns = await DnsServer.start();
  await using example = await RunningExample.start('dns-zone', { variables: { DNS_API: dns.url } });
  const { env } = example;
  const [sample] = example.samples as readonly DnsZone[];
  assert.ok(sample);
  const send = (path: string, body: unknown) => fetch(dns.url + path, { method: 'PUT', body: JSON.stringify(body) });

  await t.test('the operator polls the zone until it is live, even if the provider fails at first', async () => {
    await send('/failures', 2);
    await env.client.create(sample);
    await example.untilPrinted(/503/);
    await example.until(sample, isConverged);
    assert.deepEqual(dns.zones.get('example.com')?.records, (await env.read(sample)).spec.records);
    assert.match(await example.reported(sample, 'RecordsRepaired'), /^set 1 records$/);
  });

  await t.test(
    'the API server rejects a change of the domain, and the operator reports a taken domain in the status',
    async () => {
      const moved = env.client.patch(await env.read(sample), ({ spec }) => {
        spec.domain = 'example.net';
      });
      await assert.rejects(moved, (error) => {
        assert.ok(isInvalid(error));
        assert.match(String(error), /spec\.domain: Invalid value: .*immutable/);
        return true;
      });
      const taken = new DnsZone({ metadata: { name: 'taken' }, spec: { domain: 'taken.org' } });
      await env.client.create(taken);
      await example.until(
        taken,
        ({ status }) => status?.conditions?.some(({ reason }) => reason === 'DomainTaken') === true,
      );
      await env.client.delete(taken);
      await env.untilDeleted(taken);
    },
  );

  await t.test(
    'the operator repairs records that were changed at the provider while the API server was killed',
    async () => {
      const records = () => dns.zones.get('example.com')?.records;
      const repaired = new Promise<void>((resolve) => {
        let isBroken = false;
        dns.changes.on('records', () => {
          if (records()?.length === 0) isBroken = true;
          else if (isBroken) resolve();
        });
      });
      await send('/zones/example.com/records', []);
      await example.killServer();
      await example.untilPrinted(/"outage":"begin"/);
      await example.startServer();
      await repaired;
      assert.equal(records()?.length, 1);
    },
  );

  await t.test('the operator deletes a zone at the provider before the object is deleted', async () => {
    await env.client.delete(sample);
    await env.untilDeleted(sample);
    assert.equal(dns.zones.size, 0);
  });

  await example.stop();
  assert.deepEqual(example.unusedPermissions(), []);
});
