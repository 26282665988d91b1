import { isConditionTrue } from '@kubewright/api';
import type { Manager } from '@kubewright/runtime';
import { DnsZone } from './api/v1/dns-zone.js';
import { DnsZoneController } from './controllers/dns-zone-controller.js';
import { DnsApi } from './dns-api.js';
import { DnsServer } from './dns-server.js';
import { HttpDnsApi } from './http-dns-api.js';

export { DnsZone } from './api/v1/dns-zone.js';
export { DnsApi, DomainTakenError, type Zone, type ZoneRecord } from './dns-api.js';
export { DnsServer } from './dns-server.js';

export const kinds = [DnsZone];
export const controllers = [DnsZoneController];
export const samples = [zoneOf('example', 'example.com'), zoneOf('other', 'example.org')];

/** Starts the DNS provider that the operator uses. */
export async function provide(manager: Manager, say: (sentence: string) => void): Promise<DnsServer> {
  const dns = await DnsServer.start();
  manager.provide(DnsApi, { value: new HttpDnsApi(dns.url) });
  say(`the DNS provider listens on ${dns.url}`);
  return dns;
}

/** Reports whether a sample is in the desired state. */
export function isConverged(zone: DnsZone): boolean {
  return isConditionTrue(zone, 'Ready');
}

function zoneOf(name: string, domain: string): DnsZone {
  const records = [{ name: 'www', type: 'A' as const, values: ['192.0.2.1'] }];
  return new DnsZone({ metadata: { name }, spec: { domain, records } });
}
