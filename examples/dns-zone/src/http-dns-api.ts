import type { DnsApi, Zone, ZoneRecord } from './dns-api.js';
import { DomainTakenError } from './dns-api.js';

export class HttpDnsApi implements DnsApi {
  readonly #baseUrl: string;
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }
  findZone = (domain: string, signal: AbortSignal) => this.#send<Zone | undefined>('GET', `/zones/${domain}`, signal);
  async createZone(domain: string, signal: AbortSignal): Promise<Zone> {
    const zone = await this.#send<Zone>('POST', '/zones', signal, { domain });
    if (!zone) throw new Error(`cannot create zone ${domain}: empty response`);
    return zone;
  }
  async setRecords(zoneId: string, records: readonly ZoneRecord[], signal: AbortSignal): Promise<void> {
    await this.#send('PUT', `/zones/${zoneId}/records`, signal, records);
  }
  async deleteZone(zoneId: string, signal: AbortSignal): Promise<void> {
    await this.#send('DELETE', `/zones/${zoneId}`, signal);
  }
  async #send<T>(method: string, path: string, signal: AbortSignal, body?: unknown): Promise<T | undefined> {
    const response = await fetch(this.#baseUrl + path, {
      method,
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (response.status === 404) return undefined;
    if (response.status === 409) throw new DomainTakenError(`${method} ${path}: the domain is already in use`);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return (await response.json()) as T;
  }
}
