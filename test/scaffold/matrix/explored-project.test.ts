import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { InProcessCommand } from '../../command-line/in-process-command.js';
import { RunningCommand } from '../../command-line/running-command.js';
import { ScaffoldProject } from './scaffold-project.js';

const CREATE = ['init', '.', '--name', 'web', '--kind', 'Website', '--no-install', '--no-git', '--force', '--yes'];
const API = 'src/api/v1/website.ts';
const CONTROLLER = 'src/controllers/website-controller.ts';

describe('kubewright explore in a new project', () => {
  it('finds nothing in a new project, and finds a child that stays when its field is removed', async () => {
    await using project = await ScaffoldProject.make([CREATE]);
    const { explore } = JSON.parse(await readFile(join(project.root, 'package.json'), 'utf8')).scripts;
    assert.equal(explore, 'kubewright explore');
    const output = await project.call('explore', '--budget', '20s');
    assert.match(
      output,
      /^found nothing in \d+ s: \d+ trials, [12] fields? with \d+ values?, crashes after \d+ writes/m,
    );

    await edit(
      project,
      API,
      'export class WebsiteSpec {',
      'export class WebsiteSpec {\n  @Field.boolean({ optional: true }) cache?: boolean;',
    );
    await edit(
      project,
      CONTROLLER,
      "import { Deployment } from '@kubewright/api/apps/v1';",
      "import { Deployment } from '@kubewright/api/apps/v1';\nimport { ConfigMap } from '@kubewright/api/core/v1';",
    );
    await edit(project, CONTROLLER, 'owns: [Deployment]', 'owns: [Deployment, ConfigMap]');
    await edit(
      project,
      CONTROLLER,
      'const [deployment] = await this.client.applyOwned(website, [deploymentFor(website)]);',
      `const settings = new ConfigMap({ metadata: { name: website.metadata.name, namespace: 'default' } });
    const isKept = (await this.client.find(ConfigMap, settings.metadata)) !== undefined;
    const children = website.spec.cache === true || isKept ? [settings] : [];
    const [deployment] = await this.client.applyOwned(website, [deploymentFor(website), ...children]);`,
    );
    const environment = { cwd: project.root, env: { ...process.env, NODE_TEST_CONTEXT: undefined } };
    const started = new InProcessCommand(['explore', '--budget', '1h'], environment);
    await using command = new RunningCommand(started);
    await command.until(/^found Website: the result depends on an earlier declaration \(history\)$/);
    command.child.kill('SIGINT');
    assert.equal(await command.closed, 130);
    assert.match(command.lines.join('\n'), /ConfigMap default\/subject exists, but should not exist/);
  });
});

/** Replaces a text in a file of the project. Throws if the file does not contain the text. */
async function edit({ root }: ScaffoldProject, path: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(root, path), 'utf8');
  assert.ok(text.includes(from), `${path} does not contain: ${from}`);
  await writeFile(join(root, path), text.replace(from, to));
}
