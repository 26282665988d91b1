import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap, Service } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';

class ReplicasSpec {
  @Field.int32({ minimum: 1, maximum: 5 }) replicas = 2;
  @Field.boolean({ optional: true }) expose?: boolean;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Mongo extends CustomResource(ReplicasSpec) {}

/** The Service of each member stays when `expose` is switched off, and when the member is removed. */
const exposedMembers: Bug = {
  name: 'Acto/percona-mongodb-895',
  source: 'https://jira.percona.com/browse/K8SPSMDB-895',
  mechanism: 'feature that stays',
  kind: Mongo,
  samples: [new Mongo({ metadata: { name: 'mongo' }, spec: { replicas: 2, expose: true } })],
  violates: ['history'],
  controller: (isFixed) => {
    @Controller({ for: Mongo, owns: [Service] })
    class MongoController implements Reconciler<Mongo> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: Mongo): Promise<Result> {
        const { name } = mongo.metadata;
        const { replicas, expose } = mongo.spec;
        const services = Array.from({ length: expose === true ? replicas : 0 }, (_, at) => serviceOf(`${name}-${at}`));
        if (isFixed) await this.client.applyOwned(mongo, services);
        else
          for (const service of services)
            await this.client.applyOwned(mongo, [service], { set: service.metadata.name });
        return Result.done();
      }
    }
    return MongoController;
  },
};

function serviceOf(name: string): Service {
  return new Service({ metadata: { name }, spec: { selector: { member: name }, ports: [{ port: 27017 }] } });
}

class RabbitSpec {
  @Field.int32({ minimum: 1, maximum: 5 }) replicas = 2;
}
class RabbitStatus {
  @Field.string({ optional: true }) refused?: string;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Rabbit extends CustomResource(RabbitSpec, RabbitStatus) {}

/** A smaller size is refused by comparison with the current children, so that the result depends on the sizes that were seen. */
const refusedScaleDown: Bug = {
  name: 'Sieve/rabbitmq-cluster-operator-758',
  source: 'https://github.com/rabbitmq/cluster-operator/issues/758',
  mechanism: 'state that must be observed',
  kind: Rabbit,
  samples: [new Rabbit({ metadata: { name: 'rabbit' }, spec: { replicas: 2 } })],
  violates: ['history', 'quick', 'away'],
  controller: (isFixed) => {
    @Controller({ for: Rabbit, owns: [ConfigMap] })
    class RabbitController implements Reconciler<Rabbit> {
      constructor(private readonly client: Client) {}

      async reconcile(rabbit: Rabbit): Promise<Result> {
        const { name, namespace = 'default' } = rabbit.metadata;
        const current = await this.client.find(ConfigMap, { name, namespace });
        const replicas = Number(current?.data?.['replicas'] ?? 0);
        if (!isFixed && replicas > rabbit.spec.replicas) {
          await this.client.patchStatus(rabbit, { refused: 'cannot scale down' });
          return Result.done();
        }
        const data = { replicas: String(rabbit.spec.replicas) };
        await this.client.applyOwned(rabbit, [new ConfigMap({ metadata: { name, namespace }, data })]);
        return Result.done();
      }
    }
    return RabbitController;
  },
};

export const scalingBugs: readonly Bug[] = [exposedMembers, refusedScaleDown];
