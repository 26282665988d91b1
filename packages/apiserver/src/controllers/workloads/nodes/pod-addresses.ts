import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, stringAt } from '../../../registry/objects/json-object.js';

const hostsPerBlock = 254;
const blocks = 256;

/** Assigns the addresses of Pods. No two existing Pods have the same address, also after a restart with stored Pods. */
export class PodAddresses {
  /** The uid of the Pod with each address. */
  readonly #owners = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  #last = 0;

  /** Records the address of a Pod, and releases its previous address. Releases the address of a deleted Pod. */
  observe(pod: ApiObject, isDeleted: boolean): void {
    const { uid } = pod.metadata;
    const ip = objectAt(pod, 'spec')['hostNetwork'] === true ? '' : stringAt(pod, 'status', 'podIP');
    // An assigned address stays reserved until the status of the Pod contains an address.
    if (!isDeleted && ip === '') return;
    const known = this.#addresses.get(uid);
    if (known !== undefined && this.#owners.get(known) === uid) this.#owners.delete(known);
    this.#addresses.delete(uid);
    if (!isDeleted) this.#reserve(ip, uid);
  }

  /** Returns the address of the Pod with this uid. If the Pod has no address, reserves a free address. Throws if no address is free. */
  assign(uid: string): string {
    const known = this.#addresses.get(uid);
    if (known !== undefined) return known;
    for (let tried = 0; tried < hostsPerBlock * blocks; tried += 1) {
      this.#last += 1;
      const ip = `10.244.${Math.trunc(this.#last / hostsPerBlock) % blocks}.${(this.#last % hostsPerBlock) + 1}`;
      if (this.#owners.has(ip)) continue;
      this.#reserve(ip, uid);
      return ip;
    }
    throw new Error('every address of the Pod network 10.244.0.0/16 is in use; delete Pods');
  }

  #reserve(ip: string, uid: string): void {
    this.#owners.set(ip, uid);
    this.#addresses.set(uid, ip);
  }
}
