import { isDeepStrictEqual } from 'node:util';
import { setCondition } from '@kubewright/api';
import {
  Client,
  Controller,
  EventRecorder,
  Inject,
  type ReconcileContext,
  type Reconciler,
  Result,
  TerminalError,
} from '@kubewright/runtime';
import { DnsZone } from '../api/v1/dns-zone.js';
import { DnsApi, DomainTakenError, type Zone } from '../dns-api.js';

@Controller({
  for: DnsZone,
  every: '2s',
  timeout: '1m',
  concurrency: 8,
})
export class DnsZoneController implements Reconciler<DnsZone> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
    @Inject(DnsApi) private readonly dns: DnsApi,
  ) {}

  async reconcile(dnsZone: DnsZone, { signal }: ReconcileContext): Promise<Result> {
    const zone = await this.findOrCreate(dnsZone, signal);
    if (zone.state === 'pending') {
      await this.report(dnsZone, zone, false);
      return Result.requeueAfter('500ms');
    }
    const desired = dnsZone.spec.records ?? [];
    if (!isDeepStrictEqual(desired, zone.records)) {
      await this.dns.setRecords(zone.id, desired, signal);
      this.events.normal(dnsZone, 'RecordsRepaired', `set ${desired.length} records`);
    }
    await this.report(dnsZone, zone, true);
    return Result.done();
  }

  async finalize(dnsZone: DnsZone, { signal }: ReconcileContext): Promise<Result> {
    const zone = await this.dns.findZone(dnsZone.spec.domain, signal);
    if (zone && dnsZone.spec.deletionPolicy === 'Delete') await this.dns.deleteZone(zone.id, signal);
    return Result.done();
  }

  private async findOrCreate({ spec: { domain } }: DnsZone, signal: AbortSignal): Promise<Zone> {
    try {
      return (await this.dns.findZone(domain, signal)) ?? (await this.dns.createZone(domain, signal));
    } catch (cause) {
      if (cause instanceof DomainTakenError) throw new TerminalError(cause.message, { cause, reason: 'DomainTaken' });
      throw cause;
    }
  }

  private async report(dnsZone: DnsZone, zone: Zone, ready: boolean): Promise<void> {
    await this.client.patchStatus(dnsZone, (status) => {
      status.zoneId = zone.id;
      status.recordCounts = {};
      for (const { type } of dnsZone.spec.records ?? [])
        status.recordCounts[type] = (status.recordCounts[type] ?? 0) + 1;
      setCondition(status, { type: 'Ready', status: ready, reason: ready ? 'Live' : 'Pending' });
    });
  }
}
