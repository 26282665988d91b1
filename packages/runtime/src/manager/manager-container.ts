import { Clock } from '@kubewright/api/clock';
import { Cache } from '../cache/cache.js';
import { Client } from '../client/client.js';
import { EventRecorder } from '../events/event-recorder.js';
import { Logger } from '../log/logger.js';
import { ServiceContainer } from './injection/service-container.js';

/** What every class that a manager makes may ask for. */
export interface ManagerServices {
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A container with these services, and with what was provided besides, in that order: the last of equal ones counts. */
export async function managerContainer(
  { client, cache, events, clock, logger }: ManagerServices,
  provisions: readonly ((container: ServiceContainer) => void)[],
): Promise<ServiceContainer> {
  const container = await ServiceContainer.create();
  container.provide(Client, { value: client });
  container.provide(Cache, { value: cache });
  container.provide(EventRecorder, { value: events });
  container.provide(Clock, { value: clock });
  container.provide(Logger, { value: logger });
  for (const provision of provisions) provision(container);
  return container;
}
