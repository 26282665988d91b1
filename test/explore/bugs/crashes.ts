import { CustomResource, Field, keyOf, Kind } from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';
import { configMap } from './children.js';

class TlsSpec {
  @Field.string({ optional: true, maxLength: 63 }) domain?: string;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PsmdbTls extends CustomResource(TlsSpec) {}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PxcTls extends CustomResource(TlsSpec) {}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PsmdbCertManager extends CustomResource(TlsSpec) {}

class CertificateSpec {
  @Field.string() commonName!: string;
  @Field.string() secretName!: string;
}
/** The kind of cert-manager. */
@Kind({ group: 'cert-manager.bugs.kubewright.dev', version: 'v1' })
class Certificate extends CustomResource(CertificateSpec) {}

/** If the first Secret exists, the operator assumes that the second Secret exists as well. */
const oneCheck: Bug = {
  name: 'Sieve/percona-server-mongodb K8SPSMDB-578',
  source: 'https://jira.percona.com/browse/K8SPSMDB-578',
  mechanism: 'crash between two writes',
  kind: PsmdbTls,
  violates: ['crash', 'repair'],
  controller: (isFixed) => {
    @Controller({ for: PsmdbTls, owns: [Secret] })
    class PsmdbTlsController implements Reconciler<PsmdbTls> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: PsmdbTls): Promise<Result> {
        const { name, namespace = 'default' } = cluster.metadata;
        const { domain = 'example.com' } = cluster.spec;
        const secrets = ['ssl', 'ssl-internal'].map(
          (suffix) => new Secret({ metadata: { name: `${name}-${suffix}`, namespace }, stringData: { domain } }),
        );
        if (isFixed) {
          await this.client.applyOwned(cluster, secrets);
          return Result.done();
        }
        const current = await this.client.find(Secret, { name: `${name}-ssl`, namespace });
        const isSame = current?.data?.['domain'] === Buffer.from(domain).toString('base64');
        if (isSame) return Result.done();
        for (const secret of secrets) await this.client.apply(secret, { owner: cluster });
        return Result.done();
      }
    }
    return PsmdbTlsController;
  },
};

/** The operator writes the Secret for clients last, and looks only for the Secret of the members. */
const onlyInternal: Bug = {
  name: 'Sieve/percona-xtradb K8SPXC-896',
  source: 'https://jira.percona.com/browse/K8SPXC-896',
  mechanism: 'crash between two writes',
  kind: PxcTls,
  violates: ['crash'],
  controller: (isFixed) => {
    @Controller({ for: PxcTls, owns: [Secret, ConfigMap] })
    class PxcTlsController implements Reconciler<PxcTls> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: PxcTls): Promise<Result> {
        const { name, namespace = 'default' } = cluster.metadata;
        const internal = await this.client.find(Secret, { name: `${name}-internal`, namespace });
        const external = await this.client.find(Secret, { name: `${name}-external`, namespace });
        if (internal === undefined || (isFixed && external === undefined)) {
          const stringData = { ca: `authority of ${name}` };
          if (internal === undefined) await this.create(cluster, `${name}-internal`, stringData);
          if (external === undefined) await this.create(cluster, `${name}-external`, stringData);
        }
        const { domain = 'example.com' } = cluster.spec;
        await this.client.applyOwned(cluster, [configMap(name, { domain })]);
        return Result.done();
      }

      private async create(cluster: PxcTls, name: string, stringData: Record<string, string>): Promise<void> {
        await this.client.create(new Secret({ metadata: { name }, stringData }), { owner: cluster });
      }
    }
    return PxcTlsController;
  },
};

/** Both Certificates of cert-manager are created if the first one does not exist. */
const certificates: Bug = {
  name: 'Sieve/percona-server-mongodb K8SPSMDB-579',
  source: 'https://jira.percona.com/browse/K8SPSMDB-579',
  mechanism: 'crash between two writes',
  kind: PsmdbCertManager,
  kinds: [Certificate],
  violates: ['crash'],
  controller: (isFixed) => {
    @Controller({ for: PsmdbCertManager, owns: [Certificate] })
    class PsmdbCertManagerController implements Reconciler<PsmdbCertManager> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: PsmdbCertManager): Promise<Result> {
        const { name, namespace = 'default' } = cluster.metadata;
        const { domain: commonName = 'example.com' } = cluster.spec;
        const wanted = ['ssl', 'ssl-internal'].map(
          (secretName) =>
            new Certificate({
              metadata: { name: `${name}-${secretName}`, namespace },
              spec: { commonName, secretName },
            }),
        );
        const [first] = wanted;
        const current = first === undefined ? undefined : await this.client.find(Certificate, keyOf(first));
        if (isFixed || current === undefined) await this.client.applyOwned(cluster, wanted);
        else if (current.spec.commonName !== commonName) await this.client.applyOwned(cluster, wanted);
        return Result.done();
      }
    }
    return PsmdbCertManagerController;
  },
};

class NifiSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) nodes = 1;
}
class NifiNode {
  @Field.string({ optional: true }) configuration?: string;
  @Field.string({ optional: true }) action?: string;
}
class NifiStatus {
  @Field.map(NifiNode, { optional: true }) nodes?: Record<string, NifiNode>;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class NifiCluster extends CustomResource(NifiSpec, NifiStatus) {}

/** The status of a new node is written in two steps. After a crash between the steps, the node can never be removed. */
const twoStatusWrites: Bug = {
  name: 'Sieve/nifikop-79',
  source: 'https://github.com/konpyutaika/nifikop/issues/79',
  mechanism: 'crash between two writes',
  kind: NifiCluster,
  violates: ['crash'],
  controller: (isFixed) => {
    @Controller({ for: NifiCluster, owns: [ConfigMap] })
    class NifiClusterController implements Reconciler<NifiCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(nifi: NifiCluster): Promise<Result> {
        const { name, namespace = 'default' } = nifi.metadata;
        const nodes = await this.client.listOwned(nifi, ConfigMap);
        for (let id = 0; id < nifi.spec.nodes; id++) {
          const key = { name: `${name}-${id}`, namespace };
          const isNew = !nodes.some(({ metadata }) => metadata.name === key.name);
          if (isNew) await this.client.create(new ConfigMap({ metadata: key }), { owner: nifi });
          if (isFixed) await this.setNode(nifi, key.name, { configuration: 'InSync', action: 'UpscaleSucceeded' });
          else if (isNew) {
            await this.setNode(nifi, key.name, { configuration: 'InSync' });
            await this.setNode(nifi, key.name, { configuration: 'InSync', action: 'UpscaleSucceeded' });
          }
        }
        return this.removeNodes(nifi, nodes);
      }

      private async removeNodes(nifi: NifiCluster, nodes: readonly ConfigMap[]): Promise<Result> {
        for (const node of nodes) {
          const { name } = node.metadata;
          if (Number(name.split('-').at(-1)) < nifi.spec.nodes) continue;
          if (nifi.status?.nodes?.[name]?.action !== 'UpscaleSucceeded') return Result.requeueAfter('1m');
          await this.client.delete(node);
          await this.setNode(nifi, name, undefined);
        }
        return Result.done();
      }

      private async setNode(nifi: NifiCluster, name: string, node: NifiNode | undefined): Promise<void> {
        await this.client.patchStatus(nifi, (status) => {
          const { [name]: _, ...others } = status.nodes ?? {};
          status.nodes = node === undefined ? others : { ...others, [name]: node };
        });
      }
    }
    return NifiClusterController;
  },
};

export const crashBugs: readonly Bug[] = [oneCheck, onlyInternal, certificates, twoStatusWrites];
