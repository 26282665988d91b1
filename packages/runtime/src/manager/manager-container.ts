import { Clock } from '@kubewright/api/clock';
import { Cache } from '../cache/cache.js';
import { Client } from '../client/client.js';
import { EventRecorder } from '../events/event-recorder.js';
import { Logger } from '../log/logger.js';
import type { DependencyContainer } from 'tsyringe';
import { ServiceContainer } from './injection/service-container.js';

/** What every class that a manager makes may ask for. */
export interface ManagerServices {
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}
/** What a container is made of beside these services. */
export interface ContainerContents {
  /** What `manager.provide` gave, in order. */
  readonly provisions: readonly ((container: ServiceContainer) => void)[];
  /** The container of the program. @default tsyringe's global one */
  readonly parent: DependencyContainer | undefined;
}

/**
 * Creates a child of the program's container with these services and with what was provided, in that order. The last of equal
 * registrations counts.
 */
export async function managerContainer(
  { client, cache, events, clock, logger }: ManagerServices,
  { provisions, parent }: ContainerContents,
): Promise<ServiceContainer> {
  const container = await ServiceContainer.create(parent);
  container.provide(Client, { value: client });
  container.provide(Cache, { value: cache });
  container.provide(EventRecorder, { value: events });
  container.provide(Clock, { value: clock });
  container.provide(Logger, { value: logger });
  for (const provision of provisions) provision(container);
  return container;
}
