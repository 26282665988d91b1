import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import type { TestEnvironment } from '@kubewright/testing';
import { parse } from 'yaml';
import { ContractApi } from '../contract/contract-api.js';
import { goldens, matrix } from '../scaffold/matrix/matrix.js';
import { startEnvironment } from '../server/start-environment.js';

let environment: TestEnvironment;
let api: ContractApi;

before(async () => {
  environment = await startEnvironment();
  api = await ContractApi.open(environment.connection);
});
after(async () => {
  await api.close();
  await environment[Symbol.asyncDispose]();
});

void describe('the API server accepts the files of a new project', () => {
  for (const { name } of matrix) {
    void test(`the API server accepts each definition and each sample of the project ${name} without a warning`, async () => {
      const folder = join(goldens, name, 'config/crd/bases');
      for (const definition of await objectsIn(folder)) {
        await accepted('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
      }
      await environment.install({ crds: [folder] });
      for (const sample of await objectsIn(join(goldens, name, 'config/samples'))) {
        await accepted(await pathOf(sample), sample);
      }
      await environment.uninstall({ crds: [folder] });
    });
  }
});

async function objectsIn(folder: string): Promise<readonly KubeObject[]> {
  const files = (await readdir(folder)).filter((file) => file !== 'kustomization.yaml').toSorted();
  return Promise.all(files.map(async (file) => parse(await readFile(join(folder, file), 'utf8')) as KubeObject));
}

/** Verifies that the server accepts the object without a warning, as with `--dry-run=server`. */
async function accepted(path: string, object: KubeObject): Promise<void> {
  const { status, headers, body } = await api.post(`${path}?dryRun=All&fieldValidation=Strict`, object);
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(headers['warning'], undefined);
}

async function pathOf({ apiVersion, kind }: KubeObject): Promise<string> {
  const { body } = await api.get(`/apis/${apiVersion}`);
  const { resources } = body as unknown as {
    readonly resources: readonly { readonly kind: string; readonly name: string; readonly namespaced: boolean }[];
  };
  const resource = resources.find((each) => each.kind === kind && !each.name.includes('/'));
  assert.ok(resource, `${kind} is not served`);
  return `/apis/${apiVersion}/${resource.namespaced ? `namespaces/${api.namespace}/` : ''}${resource.name}`;
}
