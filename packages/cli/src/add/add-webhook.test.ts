import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TemporaryProject } from '../test-support/temporary-project.js';

/** Returns the exit code and the error message of a failing command. Verifies that the command changes no file. */
async function refusal(project: TemporaryProject, ...args: readonly string[]): Promise<string> {
  const before = await project.files();
  const { exitCode, stdout, stderr } = await project.run('add', ...args);
  assert.deepEqual([stdout, await project.files()], ['', before], args.join(' '));
  return `${exitCode} ${stderr.trim()}`;
}

describe('kubewright add webhook', () => {
  it('kubewright add webhook writes a defaulter and a validator with tests; a second run changes nothing', async (t) => {
    const project = await TemporaryProject.make(t);
    const args = ['webhook', '--kind', 'Deployment', '--defaulting', '--validating'];
    const { exitCode, stdout } = await project.run('add', ...args);
    assert.equal(exitCode, 0);
    assert.equal(
      stdout,
      `added DeploymentDefaulter and DeploymentValidator, for Deployment
wrote src/webhooks/deployment-defaulter.ts
wrote src/webhooks/deployment-defaulter.test.ts
wrote src/webhooks/deployment-validator.ts
wrote src/webhooks/deployment-validator.test.ts
changed src/main.ts
implement the methods in src/webhooks/deployment-defaulter.ts and src/webhooks/deployment-validator.ts, and then run 'kubewright generate' to write the manifests
`,
    );
    assert.equal(
      await project.read('src/main.ts'),
      `import { Manager } from '@kubewright/runtime';
import { WebsiteController } from './controllers/website-controller.js';
import { DeploymentDefaulter } from './webhooks/deployment-defaulter.js';
import { DeploymentValidator } from './webhooks/deployment-validator.js';

const manager = new Manager({ leaderElection: 'web-operator' });
manager.add(WebsiteController);
manager.add(DeploymentDefaulter);
manager.add(DeploymentValidator);
await manager.start();
`,
    );
    assert.equal(
      await project.read('src/webhooks/deployment-validator.ts'),
      `import { Validator, type Violation } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';

@Validator({ for: Deployment })
export class DeploymentValidator implements Validator<Deployment> {
  /**
   * Returns an error for each invalid field, for rules that the schema and CEL cannot express. Called when a Deployment is
   * created or updated; \`old\` is the stored object on update. An empty list admits the object.
   */
  validate(deployment: Deployment, old: Deployment | undefined): readonly Violation[] {
    const violations: Violation[] = [];
    // Example: if (old !== undefined && deployment.metadata.labels?.['team'] !== old.metadata.labels?.['team'])
    //   violations.push({ field: 'metadata.labels[team]', message: 'must not change' });
    return violations;
  }
}
`,
    );
    const before = await project.files();
    const again = await project.run('add', ...args);
    assert.equal(
      again.stdout,
      'nothing changed: each requested webhook for Deployment already exists in src/webhooks/deployment-defaulter.ts and src/webhooks/deployment-validator.ts\n',
    );
    assert.deepEqual(await project.files(), before);
  });

  it('kubewright add webhook writes only the class that is missing', async (t) => {
    const project = await TemporaryProject.make(t);
    await project.run('add', 'webhook', '--kind', 'Pod', '--validating');
    await project.change('src/webhooks/pod-validator.ts', '// Example', '// Mine');
    const { stdout } = await project.run('add', 'webhook', '--kind', 'Pod', '--validating', '--defaulting', '--json');
    assert.deepEqual(JSON.parse(stdout), {
      added: 'PodDefaulter, for Pod',
      created: ['src/webhooks/pod-defaulter.ts', 'src/webhooks/pod-defaulter.test.ts'],
      changed: ['src/main.ts'],
    });
    assert.match(await project.read('src/webhooks/pod-validator.ts'), /\/\/ Mine/);
  });

  it('kubewright add webhook writes a converter between the storage version and each other version', async (t) => {
    const project = await TemporaryProject.make(t);
    await project.run('add', 'version', '--kind', 'Website', '--version', 'v2', '--stored');
    const { stdout } = await project.run('add', 'webhook', '--kind', 'Website', '--conversion');
    assert.match(stdout, /^added WebsiteConverter, for Website\nwrote src\/webhooks\/website-converter\.ts\n/);
    const text = await project.read('src/webhooks/website-converter.ts');
    assert.match(
      text,
      /^import \{ type ConvertedContent, Converter \} from '@kubewright\/api';\nimport \{ Website as WebsiteV1 \} from '\.\.\/api\/v1\/website\.js';\nimport \{ Website as WebsiteV2 \} from '\.\.\/api\/v2\/website\.js';\n/,
    );
    assert.match(
      text,
      /@Converter\(\{ from: WebsiteV1, hub: WebsiteV2 \}\)\nexport class WebsiteConverter implements Converter<WebsiteV1, WebsiteV2> \{/,
    );
    assert.match(await project.read('src/main.ts'), /manager\.add\(WebsiteConverter\);/);
    const again = await project.run('add', 'webhook', '--kind', 'Website', '--conversion');
    assert.match(again.stdout, /^nothing changed: .* already exists in src\/webhooks\/website-converter\.ts\n$/);
    await project.run('add', 'version', '--kind', 'Website', '--version', 'v1alpha1', '--from', 'v1');
    const third = await project.run('add', 'webhook', '--kind', 'Website', '--conversion');
    assert.match(third.stdout, /^added WebsiteV1alpha1Converter, for Website\n/);
    assert.match(
      await project.read('src/webhooks/website-v1alpha1-converter.ts'),
      /@Converter\(\{ from: WebsiteV1alpha1, hub: WebsiteV2 \}\)/,
    );
  });

  it('kubewright add webhook rejects a request without a webhook, a converter for one version, and a second validator', async (t) => {
    const project = await TemporaryProject.make(t);
    assert.equal(
      await refusal(project, 'webhook', '--kind', 'Website'),
      '2 error: cannot add webhooks for Website: pass at least one of --defaulting, --validating and --conversion',
    );
    assert.equal(
      await refusal(project, 'webhook', '--kind', 'Website', '--conversion'),
      '2 error: cannot add a converter for Website: the kind has only the version v1; run: kubewright add version --kind Website --version v2 --converter',
    );
    assert.equal(
      await refusal(project, 'webhook', '--kind', 'Pod', '--conversion'),
      '2 error: cannot add to Pod: the project declares Website; run: kubewright add api --kind Pod',
    );
    await project.run('add', 'version', '--kind', 'Website', '--version', 'v2', '--no-converter');
    await project.write(
      'src/webhooks/guard.ts',
      `import { Validator } from '@kubewright/api';
import { Website } from '../api/v2/website.js';

@Validator({ for: Website })
export class Guard {}
`,
    );
    assert.equal(
      await refusal(project, 'webhook', '--kind', 'Website', '--validating'),
      "2 error: cannot add a validator for Website (v1): Guard in src/webhooks/guard.ts already handles all versions of Website; change that class, or set matchPolicy: 'Exact' in its decorator and write a second class",
    );
    await project.change('src/api/v1/website.ts', 'storage: true', 'storage: false');
    assert.equal(
      await refusal(project, 'webhook', '--kind', 'Website', '--conversion'),
      '2 error: cannot add a converter for Website: no version is the storage version; set storage: true in @Kind of one version',
    );
  });
});

describe('kubewright add version --converter', () => {
  it('kubewright add version --converter adds a converter from the new version to the storage version', async (t) => {
    const project = await TemporaryProject.make(t);
    const { stdout } = await project.run('add', 'version', '--kind', 'Website', '--version', 'v2', '--converter');
    assert.equal(
      stdout,
      `added Website (example.com/v2)
wrote src/api/v2/website.ts
wrote src/webhooks/website-converter.ts
wrote src/webhooks/website-converter.test.ts
changed src/api/v1/website.ts
changed src/main.ts
edit src/api/v2/website.ts; objects are stored as v1
convert the fields that differ in src/webhooks/website-converter.ts
`,
    );
    assert.match(
      await project.read('src/webhooks/website-converter.ts'),
      /@Converter\(\{ from: WebsiteV2, hub: WebsiteV1 \}\)/,
    );
  });
  it('kubewright add version --converter --stored adds a converter from the previous storage version to the new version', async (t) => {
    const project = await TemporaryProject.make(t);
    await project.run('add', 'version', '--kind', 'Website', '--version', 'v2', '--stored', '--converter');
    assert.match(
      await project.read('src/webhooks/website-converter.ts'),
      /@Converter\(\{ from: WebsiteV1, hub: WebsiteV2 \}\)/,
    );
    await project.run('add', 'version', '--kind', 'Website', '--version', 'v3', '--stored', '--converter');
    assert.match(
      await project.read('src/webhooks/website-v2-converter.ts'),
      /@Converter\(\{ from: WebsiteV2, hub: WebsiteV3 \}\)/,
    );
  });
});
