import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestEnvironment } from '@kubewright/testing';
import { Kubectl, kubectlBinaries, NO_KUBECTL } from '../kubectl/kubectl.js';
import { selectedServer } from '../server/selected-server.js';
import { startEnvironment } from '../server/start-environment.js';
import { writeManifests } from './example-operators.js';
import { webhookOperator } from './webhook-operator.js';

const [binary] = kubectlBinaries().slice(-1);

describe(`webhook manifests applied by kubectl to the ${selectedServer()} server`, {
  skip: binary === undefined && NO_KUBECTL,
}, () => {
  let environment: TestEnvironment;
  let folder: string;
  let kubectl: Kubectl;

  before(async () => {
    environment = await startEnvironment({});
    folder = await mkdtemp(join(tmpdir(), 'kubewright-webhooks-'));
    await environment.writeKubeconfig(join(folder, 'kubeconfig'));
    kubectl = new Kubectl(binary ?? assert.fail(NO_KUBECTL), {
      kubeconfig: join(folder, 'kubeconfig'),
      home: folder,
      namespace: '',
    });
  });
  after(async () => {
    await environment[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** Returns a CA certificate that the API server accepts as a CA bundle, in base64: the CA of the API server itself. */
  const authority = async (): Promise<string> => {
    const kubeconfig = await readFile(join(folder, 'kubeconfig'), 'utf8');
    return /certificate-authority-data: (\S+)/.exec(kubeconfig)?.[1] ?? assert.fail('the kubeconfig has no CA');
  };

  const applies = {
    'client-side apply': '',
    'server-side apply': ' --server-side',
    'server-side apply with --force-conflicts': ' --server-side --force-conflicts',
  };
  for (const [how, flags] of Object.entries(applies)) {
    test(`${how} of the same manifests keeps the CA bundle that the manager has injected`, async () => {
      const name = `rack-${randomBytes(3).toString('hex')}`;
      const project = join(folder, name);
      await writeManifests(webhookOperator(name), project);
      const apply = `apply -k ${project}/config/default${flags}`;
      await kubectl.ok(apply);
      const bundle = await authority();
      const inWebhook = [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: bundle }];
      const inCrd = [{ op: 'add', path: '/spec/conversion/webhook/clientConfig/caBundle', value: bundle }];
      const targets: readonly (readonly [target: string, patch: object, path: string])[] = [
        [
          `mutatingwebhookconfiguration/${name}-mutating-webhook-configuration`,
          inWebhook,
          '.webhooks[0].clientConfig.caBundle',
        ],
        [
          `validatingwebhookconfiguration/${name}-validating-webhook-configuration`,
          inWebhook,
          '.webhooks[0].clientConfig.caBundle',
        ],
        [`crd/racks.${name}.example.com`, inCrd, '.spec.conversion.webhook.clientConfig.caBundle'],
      ];
      for (const [target, patch] of targets) {
        await kubectl.ok(`patch ${target} --type=json --patch '${JSON.stringify(patch)}'`);
      }
      await kubectl.ok(apply);
      // A change of another field must also keep the bundle.
      await writeManifests(webhookOperator(name, { source: 'openshift' }), project);
      await kubectl.ok(apply);
      for (const [target, , path] of targets) {
        assert.equal(await kubectl.ok(`get ${target} -o jsonpath={${path}}`), bundle, target);
      }
      await kubectl.ok(`delete -k ${project}/config/default --ignore-not-found --wait=false`);
    });
  }
});
