import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';

class KeystoreSpec {
  @Field.int32({ minimum: 1, maximum: 5 }) size = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Keystore extends CustomResource(KeystoreSpec) {}

/** The operator ends after it created the Secret. The ConfigMap of the same step is never created. */
const createdTogether: Bug = {
  name: 'Sieve/cass-operator K8SSAND-1023',
  source: 'https://k8ssandra.atlassian.net/browse/K8SSAND-1023',
  mechanism: 'crash between two writes',
  kind: Keystore,
  violates: ['crash'],
  controller: (isFixed) => {
    @Controller({ for: Keystore, owns: [Secret, ConfigMap] })
    class KeystoreController implements Reconciler<Keystore> {
      constructor(private readonly client: Client) {}

      async reconcile(keystore: Keystore): Promise<Result> {
        const { name, namespace } = keystore.metadata;
        const key = { name: `${name}-ca`, namespace: namespace ?? 'default' };
        const size = { size: String(keystore.spec.size) };
        const secret = new Secret({ metadata: key, stringData: { ca: 'certificate' } });
        const settings = new ConfigMap({ metadata: key, data: size });
        if (isFixed) {
          await this.client.applyOwned(keystore, [secret, settings]);
        } else if ((await this.client.find(Secret, key)) === undefined) {
          await this.client.applyOwned(keystore, [secret], { set: 'keystore' });
          await this.client.applyOwned(keystore, [settings], { set: 'settings' });
        } else if ((await this.client.find(ConfigMap, key)) !== undefined) {
          await this.client.applyOwned(keystore, [settings], { set: 'settings' });
        }
        return Result.done();
      }
    }
    return KeystoreController;
  },
};

class SteppedSpec {
  @Field.int32({ minimum: 1, maximum: 5 }) size = 1;
}
class SteppedStatus {
  @Field.string({ optional: true }) lastAction?: string;
  @Field.int32({ optional: true }) size?: number;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Stepped extends CustomResource(SteppedSpec, SteppedStatus) {}

/** The child is written before the status reports the step. After a crash between the two writes, the step never ends. */
const lostStep: Bug = {
  name: 'Sieve/casskop-370',
  source: 'https://github.com/Orange-OpenSource/casskop/issues/370',
  mechanism: 'crash between two writes',
  kind: Stepped,
  violates: ['crash'],
  controller: (isFixed) => {
    @Controller({ for: Stepped, owns: [ConfigMap] })
    class SteppedController implements Reconciler<Stepped> {
      constructor(private readonly client: Client) {}

      async reconcile(stepped: Stepped): Promise<Result> {
        const { name, namespace = 'default' } = stepped.metadata;
        const size = String(stepped.spec.size);
        const current = await this.client.find(ConfigMap, { name, namespace });
        if (current?.data?.['size'] !== size) {
          await this.client.applyOwned(stepped, [new ConfigMap({ metadata: { name, namespace }, data: { size } })]);
          await this.client.patchStatus(stepped, { lastAction: 'Scaled', size: stepped.spec.size });
        } else if (isFixed) {
          await this.client.patchStatus(stepped, { lastAction: 'Scaled', size: stepped.spec.size });
        }
        return Result.done();
      }
    }
    return SteppedController;
  },
};

export const lifecycleBugs: readonly Bug[] = [createdTogether, lostStep];
