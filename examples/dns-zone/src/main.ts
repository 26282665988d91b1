import { Manager } from '@kubewright/runtime';
import { DnsZoneController } from './controllers/dns-zone-controller.js';
import { DnsApi } from './dns-api.js';
import { HttpDnsApi } from './http-dns-api.js';

const manager = new Manager({ leaderElection: 'dns-operator' });
manager.provide(DnsApi, { value: new HttpDnsApi(process.env.DNS_API ?? 'http://dns.dns-system.svc') });
await manager.add(DnsZoneController).start();
