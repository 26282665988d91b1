import { CustomResource, Field, isReady, Kind } from '@kubewright/api';
import { ConfigMap, PersistentVolumeClaim, Pod, Secret } from '@kubewright/api/core/v1';
import { Client, Clock, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { FaultBug } from './fault-bug.js';

/** The number of reconciles after which an operator stops waiting. Late events and stale reads take less time. */
const TRIES = 6;

class SizeSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) size = 1;
}
class TriesStatus {
  @Field.string({ optional: true }) phase?: string;
  @Field.int32({ optional: true }) tries?: number;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class MongoDBCommunity extends CustomResource(SizeSpec, TriesStatus) {}

/** A missing Secret is final, although a user can create the Secret later. */
const missingSecret: FaultBug = {
  name: 'a missing Secret is final',
  kind: MongoDBCommunity,
  faults: ['cluster'],
  alsoViolates: ['dependency'],
  objects: [new Secret({ metadata: { name: 'password', namespace: 'default' }, stringData: { password: 'x' } })],
  trials: 36,
  controller: (isFixed) => {
    @Controller({ for: MongoDBCommunity, owns: [ConfigMap], reads: [Secret] })
    class MongoDBCommunityController implements Reconciler<MongoDBCommunity> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: MongoDBCommunity): Promise<Result> {
        const { name, namespace = 'default' } = mongo.metadata;
        const password = await this.client.find(Secret, { name: 'password', namespace });
        if (password === undefined) {
          await this.client.patchStatus(mongo, { phase: 'Failed' });
          return isFixed ? Result.requeueAfter('30s') : Result.done();
        }
        const data = { size: String(mongo.spec.size) };
        await this.client.applyOwned(mongo, [new ConfigMap({ metadata: { name }, data })]);
        await this.client.patchStatus(mongo, { phase: 'Running' });
        return Result.done();
      }
    }
    return MongoDBCommunityController;
  },
};

@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class ZookeeperCluster extends CustomResource(SizeSpec, TriesStatus) {}

/** The operator stops waiting if the Pod does not become ready in a few reconciles, and never reconciles the Pod again. */
const givesUp: FaultBug = {
  name: 'Acto/percona-mongodb-897, with a Pod that becomes ready late',
  kind: ZookeeperCluster,
  faults: ['cluster'],
  controller: (isFixed) => {
    @Controller({ for: ZookeeperCluster, owns: [Pod] })
    class ZookeeperClusterController implements Reconciler<ZookeeperCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(zookeeper: ZookeeperCluster): Promise<Result> {
        const { phase, tries = 0 } = zookeeper.status ?? {};
        if (phase === 'Failed' && !isFixed) return Result.done();
        const { name } = zookeeper.metadata;
        const labels = { size: String(zookeeper.spec.size) };
        const [pod] = await this.client.applyOwned(zookeeper, [
          new Pod({ metadata: { name, labels }, spec: { containers: [{ name: 'zookeeper', image: 'zookeeper:3' }] } }),
        ]);
        if (isReady(pod)) {
          await this.client.patchStatus(zookeeper, (status) => {
            status.phase = 'Running';
            delete status.tries;
          });
          return Result.done();
        }
        if (tries >= TRIES) {
          await this.client.patchStatus(zookeeper, { phase: 'Failed' });
          return Result.done();
        }
        await this.client.patchStatus(zookeeper, { tries: tries + 1 });
        return Result.requeueAfter('5s');
      }
    }
    return ZookeeperClusterController;
  },
};

@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class CassandraDatacenter extends CustomResource(SizeSpec, TriesStatus) {}

/** The operator creates its settings only if the claim is bound directly after its creation. */
const pendingClaim: FaultBug = {
  name: 'a claim that does not bind at once',
  kind: CassandraDatacenter,
  faults: ['cluster'],
  controller: (isFixed) => {
    @Controller({ for: CassandraDatacenter, owns: [PersistentVolumeClaim] })
    class CassandraDatacenterController implements Reconciler<CassandraDatacenter> {
      constructor(private readonly client: Client) {}

      async reconcile(center: CassandraDatacenter): Promise<Result> {
        const { phase, tries = 0 } = center.status ?? {};
        const requests = { storage: '1Gi' };
        const [claim] = await this.client.applyOwned(center, [
          new PersistentVolumeClaim({
            metadata: { name: center.metadata.name, labels: { size: String(center.spec.size) } },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests } },
          }),
        ]);
        const isBound = claim.status?.phase === 'Bound';
        if (isFixed || phase !== 'Lost') {
          const next = isBound ? 'Bound' : tries < TRIES ? 'Waiting' : 'Lost';
          await this.client.patchStatus(center, (status) => {
            status.phase = next;
            if (isBound) delete status.tries;
            else status.tries = Math.min(tries + 1, TRIES + 1);
          });
        }
        return isBound || tries > TRIES ? Result.done() : Result.requeueAfter('4s');
      }
    }
    return CassandraDatacenterController;
  },
};

class ExpiryStatus {
  @Field.int32({ optional: true }) renewedSeconds?: number;
  @Field.string({ optional: true }) renewed?: string;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Certificate extends CustomResource(SizeSpec, ExpiryStatus) {}

/** After 2038, the time in seconds exceeds the maximum of the field. */
const secondsOverflow: FaultBug = {
  name: 'a time in seconds with 32 bits',
  kind: Certificate,
  faults: ['clock'],
  controller: (isFixed) => {
    @Controller({ for: Certificate, owns: [ConfigMap] })
    class CertificateController implements Reconciler<Certificate> {
      constructor(
        private readonly client: Client,
        private readonly clock: Clock,
      ) {}

      async reconcile(certificate: Certificate): Promise<Result> {
        const { name } = certificate.metadata;
        const { renewed, renewedSeconds } = certificate.status ?? {};
        const now = this.clock.now();
        if (isFixed && renewed === undefined) {
          await this.client.patchStatus(certificate, { renewed: now.toISOString() });
        } else if (!isFixed && renewedSeconds === undefined) {
          await this.client.patchStatus(certificate, { renewedSeconds: Math.trunc(now.getTime() / 1000) });
        }
        const data = { size: String(certificate.spec.size) };
        await this.client.applyOwned(certificate, [new ConfigMap({ metadata: { name }, data })]);
        return Result.done();
      }
    }
    return CertificateController;
  },
};

export const clusterBugs: readonly FaultBug[] = [missingSecret, givesUp, pendingClaim, secondsOverflow];
