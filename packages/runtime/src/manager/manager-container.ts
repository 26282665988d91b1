import { Clock } from '@kubewright/api/clock';
import { Cache } from '../cache/cache.js';
import { Client } from '../client/client.js';
import { EventRecorder } from '../events/event-recorder.js';
import { Logger } from '../log/logger.js';
import type { DependencyContainer } from 'tsyringe';
import { ServiceContainer } from './injection/service-container.js';

/** The services that every class in the container may request. */
export interface ManagerServices {
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}
/** The contents of a container in addition to these services. */
export interface ContainerContents {
  /** The registrations by `manager.provide`, in order. */
  readonly provisions: readonly ((container: ServiceContainer) => void)[];
  /** The container of the program. @default tsyringe's global one */
  readonly parent: DependencyContainer | undefined;
}

/**
 * Creates a child of the program's container. Registers these services first, then the provisions. The last registration of a token takes
 * precedence.
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
