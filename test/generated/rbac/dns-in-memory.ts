import type { DnsApi, Zone } from '@kubewright/example-dns-zone';

/** A DNS provider that stores zones in memory. New zones are live immediately. */
export class DnsInMemory implements DnsApi {
  readonly #zones = new Map<string, Zone>();

  async findZone(domain: string): Promise<Zone | undefined> {
    return this.#zones.get(domain);
  }
  async createZone(domain: string): Promise<Zone> {
    const zone: Zone = { id: domain, state: 'live', records: [{ name: 'old', type: 'A', values: [], ttlSeconds: 1 }] };
    this.#zones.set(domain, zone);
    return zone;
  }
  async setRecords(id: string, records: Zone['records']): Promise<void> {
    this.#zones.set(id, { id, state: 'live', records });
  }
  async deleteZone(id: string): Promise<void> {
    this.#zones.delete(id);
  }
}
