import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { crdFor } from '@kubewright/api/metadata';
import { kinds } from '@kubewright/example-virtual-machine';
import type { TestEnvironment } from '@kubewright/testing';
import { selectedServer } from '../server/selected-server.js';
import { startEnvironment } from '../server/start-environment.js';
import { Kubectl, kubectlBinaries, NO_KUBECTL } from './kubectl.js';
import { objectCases } from './object-cases.js';
import { serverCases } from './server-cases.js';
import { workloadCases } from './workload-cases.js';

const cases = { ...objectCases, ...workloadCases, ...serverCases };
const binaries = kubectlBinaries();

describe('kubectl commands against the server', { skip: binaries.length === 0 && NO_KUBECTL }, () => {
  for (const binary of binaries) {
    describe(`commands of ${binary.name} against the ${selectedServer()} server`, { concurrency: 4 }, () => {
      let environment: TestEnvironment;
      let folder: string;
      const inNamespace = (namespace: string): Kubectl =>
        new Kubectl(binary, { kubeconfig: join(folder, 'kubeconfig'), home: folder, namespace });

      before(async () => {
        const server = selectedServer();
        environment = await startEnvironment({ ...(server !== 'existing' && { workloads: true }) });
        folder = await mkdtemp(join(tmpdir(), 'kubewright-kubectl-'));
        await environment.writeKubeconfig(join(folder, 'kubeconfig'));
        const admin = inNamespace('default');
        await admin.ok('apply -f -', crdFor(kinds));
        await admin.ok('wait --for=condition=Established crd/virtualmachines.cloud.waibizi.com');
      });
      after(async () => {
        if (selectedServer() === 'existing')
          await inNamespace('default').ok('delete crd virtualmachines.cloud.waibizi.com');
        await environment[Symbol.asyncDispose]();
        await rm(folder, { recursive: true });
      });

      test('only the owner can read the kubeconfig', async () => {
        assert.equal((await stat(join(folder, 'kubeconfig'))).mode & 0o777, 0o600);
      });

      for (const [title, run] of Object.entries(cases)) {
        test(`kubectl ${title}`, async () => {
          const kubectl = inNamespace(`kubectl-${randomBytes(4).toString('hex')}`);
          const own = join(folder, kubectl.namespace);
          await mkdir(own);
          await kubectl.ok(`create -f -`, {
            apiVersion: 'v1',
            kind: 'Namespace',
            metadata: { name: kubectl.namespace },
          });
          await kubectl.ok('wait --for=create serviceaccount/default --timeout=30s');
          try {
            await run({ kubectl, folder: own });
          } finally {
            await kubectl.ok(`delete namespace ${kubectl.namespace} --wait=false`);
          }
        });
      }
    });
  }
});
