import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConditionTrue } from '@kubewright/api';
import { isNotFound } from '@kubewright/runtime';
import { FakeClock, TestEnvironment } from '@kubewright/testing';
import { DnsZone } from '../api/v1/dns-zone.js';
import { type DnsApi, DomainTakenError, type Zone, type ZoneRecord } from '../dns-api.js';
import { DnsZoneController } from './dns-zone-controller.js';

class DnsInMemory implements DnsApi {
  readonly zones = new Map<string, { id: string; state: Zone['state']; records: readonly ZoneRecord[] }>();
  async findZone(domain: string) {
    return this.zones.get(domain);
  }
  async createZone(domain: string) {
    if (domain === 'taken.org') throw new DomainTakenError('the domain is taken');
    const zone = { id: domain, state: 'pending' as Zone['state'], records: [] };
    this.zones.set(domain, zone);
    return zone;
  }
  async setRecords(id: string, records: readonly ZoneRecord[]) {
    this.zones.get(id)!.records = records;
  }
  async deleteZone(id: string) {
    this.zones.delete(id);
  }
}
const records = [{ name: 'www', type: 'A' as const, values: ['192.0.2.1'] }];

test('waits for the zone, repairs drift, and cleans up', async () => {
  const clock = new FakeClock();
  const dns = new DnsInMemory();
  await using env = await TestEnvironment.start({ kinds: [DnsZone], clock });
  await env.run(new DnsZoneController(env.client, env.events, dns));
  const created = await env.client.create(
    new DnsZone({ metadata: { name: 'example' }, spec: { domain: 'example.com', records } }),
  );
  await env.settled();
  assert.equal(isConditionTrue(await env.read(created), 'Ready'), false);

  const zone = dns.zones.get('example.com')!;
  zone.state = 'live';
  await clock.advance('15s');
  assert.equal(isConditionTrue(await env.read(created), 'Ready'), true);

  zone.records = [];
  await clock.advance('12m');
  assert.equal(zone.records.length, 1);

  await env.client.delete(created);
  await env.settled();
  assert.equal(dns.zones.size, 0);
  await assert.rejects(env.read(created), isNotFound);
});

test('a taken domain is terminal', async () => {
  await using env = await TestEnvironment.start({ kinds: [DnsZone] });
  const zone = await env.client.create(new DnsZone({ metadata: { name: 'taken' }, spec: { domain: 'taken.org' } }));
  const { error } = await env.reconcile(new DnsZoneController(env.client, env.events, new DnsInMemory()), zone);
  assert.match(String(error), /taken/);
});
