import type { Manager } from '@kubewright/runtime';

/**
 * A fake of an external system in this process, such as a DNS provider. The system keeps its state when the operator crashes or restarts.
 *
 * @example
 * class MemoryDns implements DnsApi, ExternalSystem {
 *   readonly zones = new Map<string, Zone>();
 *   provide(manager: Manager) { manager.provide(DnsApi, { value: this }); }
 *   state() { return [...this.zones]; }
 *   …
 * }
 */
export interface ExternalSystem {
  /** Provides the system to a manager before the manager starts. Called again after each restart of the operator. */
  provide(manager: Manager): void;
  /** Returns the current state as JSON values. The state is part of the comparison of two histories. */
  state(): unknown;
}
