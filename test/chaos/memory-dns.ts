import { DnsApi, type Zone, type ZoneRecord } from '@kubewright/example-dns-zone';
import type { Manager } from '@kubewright/runtime';
import type { ExternalSystem } from './scenario.js';

/** A DNS provider in this process. Zones remain when an operator of a schedule ends. A new zone is pending until `findZone` reads it. */
export class MemoryDns implements DnsApi, ExternalSystem {
  readonly #zones = new Map<string, Zone>();

  /** Returns the records of a zone; undefined if the zone does not exist. */
  recordsOf(domain: string): readonly ZoneRecord[] | undefined {
    return this.#zones.get(domain)?.records;
  }
  /** Returns all zones by their domains. */
  state(): Readonly<Record<string, Zone>> {
    return Object.fromEntries(this.#zones);
  }
  reset(): void {
    this.#zones.clear();
  }
  provide(manager: Manager): void {
    manager.provide(DnsApi, { value: this });
  }

  async findZone(domain: string): Promise<Zone | undefined> {
    const zone = this.#zones.get(domain);
    if (zone !== undefined) this.#zones.set(domain, { ...zone, state: 'live' });
    return zone;
  }
  async createZone(domain: string): Promise<Zone> {
    const zone: Zone = { id: domain, state: 'pending', records: [] };
    this.#zones.set(domain, zone);
    return zone;
  }
  async setRecords(id: string, records: readonly ZoneRecord[]): Promise<void> {
    const zone = this.#zones.get(id);
    if (zone === undefined) throw new Error(`zone ${id} does not exist`);
    this.#zones.set(id, { ...zone, records });
  }
  async deleteZone(id: string): Promise<void> {
    this.#zones.delete(id);
  }
}
