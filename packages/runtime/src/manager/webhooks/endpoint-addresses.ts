import type { ManagerServers } from '../endpoints/manager-servers.js';
import type { ManagerStatus } from '../lifecycle/manager-status.js';
import type { ManagerWebhooks } from './manager-webhooks.js';

/** Returns the address of each endpoint that listens, including the webhook server, by the name of the endpoint. */
export function addressesOf({ addresses }: ManagerServers, { server }: ManagerWebhooks): ManagerStatus['endpoints'] {
  const address = server?.address;
  return address === undefined ? addresses : { ...addresses, webhooks: address };
}
