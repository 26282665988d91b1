import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConditionTrue } from '@kubewright/api';
import { isNotFound } from '@kubewright/runtime';
import { FakeClock, TestEnvironment } from '@kubewright/testing';
import { DnsZone } from '../api/v1/dns-zone.js';
import { DnsServer } from '../dns-server.js';
import { HttpDnsApi } from '../http-dns-api.js';
import { DnsZoneController } from './dns-zone-controller.js';

const records = [{ name: 'www', type: 'A' as const, values: ['192.0.2.1'] }];

test('DnsZoneController waits until the zone is live, repairs drift, and deletes the zone', async () => {
  const clock = new FakeClock();
  await using dns = await DnsServer.start();
  await using env = await TestEnvironment.start({ kinds: [DnsZone], clock });
  await env.run(new DnsZoneController(env.client, env.events, new HttpDnsApi(dns.url)));
  const created = await env.client.create(
    new DnsZone({ metadata: { name: 'example' }, spec: { domain: 'example.com', records } }),
  );
  await env.settled();
  assert.equal(isConditionTrue(await env.read(created), 'Ready'), false);

  await clock.advance('500ms');
  await clock.advance('500ms');
  assert.equal(isConditionTrue(await env.read(created), 'Ready'), true);

  const zone = dns.zones.get('example.com')!;
  zone.records = [];
  await clock.advance('3s');
  assert.equal(zone.records.length, 1);

  await env.client.delete(created);
  await env.settled();
  assert.equal(dns.zones.size, 0);
  await assert.rejects(env.read(created), isNotFound);
});

test('DnsZoneController reports a domain that belongs to another account as the error of the reconcile', async () => {
  await using dns = await DnsServer.start();
  await using env = await TestEnvironment.start({ kinds: [DnsZone] });
  const zone = await env.client.create(new DnsZone({ metadata: { name: 'taken' }, spec: { domain: 'taken.org' } }));
  const controller = new DnsZoneController(env.client, env.events, new HttpDnsApi(dns.url));
  const { error } = await env.reconcile(controller, zone);
  assert.match(String(error), /the domain is already in use/);
});
