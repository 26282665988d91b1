import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { Client, Controller, ignoreNotFound, type Reconciler, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';
import { configMap } from './children.js';

class ZookeeperClusterSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) replicas = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class ZookeeperCluster extends CustomResource(ZookeeperClusterSpec) {}

/** The operator removes its finalizer, and then creates the ConfigMap again. */
const configAgain: Bug = {
  name: 'Sieve/zookeeper-operator-410',
  source: 'https://github.com/pravega/zookeeper-operator/issues/410',
  mechanism: 'write after the finalizer',
  kind: ZookeeperCluster,
  violates: ['after-finalizer', 'deletion'],
  controller: (isFixed) => {
    @Controller({ for: ZookeeperCluster, owns: [ConfigMap], finalizer: 'bugs.kubewright.dev/volumes' })
    class ZookeeperClusterController implements Reconciler<ZookeeperCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: ZookeeperCluster): Promise<Result> {
        const {
          metadata: { name },
          spec: { replicas },
        } = cluster;
        await this.client.applyOwned(cluster, [configMap(`${name}-config`, { replicas: String(replicas) })]);
        return Result.done();
      }
      async finalize(cluster: ZookeeperCluster): Promise<Result> {
        await this.client.applyOwned(cluster, [], { set: 'volumes' });
        if (isFixed) return Result.done();
        await this.client.patch(cluster, (draft) => {
          draft.metadata.finalizers = draft.metadata.finalizers.filter((each) => !each.endsWith('/volumes'));
        });
        return this.reconcile(cluster);
      }
    }
    return ZookeeperClusterController;
  },
};

class PsmdbUsersSpec {
  @Field.string({ optional: true, maxLength: 63 }) admin?: string;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PsmdbUsers extends CustomResource(PsmdbUsersSpec) {}

/** The steps of a reconcile continue after the finalizer was removed, and create the Secret of the users again. */
const usersAgain: Bug = {
  name: 'Sieve/percona-server-mongodb K8SPSMDB-590',
  source: 'https://jira.percona.com/browse/K8SPSMDB-590',
  mechanism: 'write after the finalizer',
  kind: PsmdbUsers,
  violates: ['after-finalizer', 'deletion'],
  controller: (isFixed) => {
    @Controller({ for: PsmdbUsers, owns: [Secret], finalizer: 'bugs.kubewright.dev/users' })
    class PsmdbUsersController implements Reconciler<PsmdbUsers> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: PsmdbUsers): Promise<Result> {
        const { name, namespace = 'default' } = mongo.metadata;
        const users = new Secret({
          metadata: { name: `${name}-users`, namespace },
          stringData: { admin: mongo.spec.admin ?? 'root' },
        });
        await this.client.apply(users);
        return Result.done();
      }
      async finalize(mongo: PsmdbUsers): Promise<Result> {
        const { name, namespace = 'default' } = mongo.metadata;
        await this.client.delete(Secret, { name: `${name}-users`, namespace }).catch(ignoreNotFound);
        if (isFixed) return Result.done();
        await this.client.patch(mongo, (draft) => {
          draft.metadata.finalizers = [];
        });
        return this.reconcile(mongo);
      }
    }
    return PsmdbUsersController;
  },
};

export const finalizerBugs: readonly Bug[] = [configAgain, usersAgain];
