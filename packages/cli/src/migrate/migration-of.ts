import { nameProblem, asLabel, scaffold } from 'create-operator';
import { quoted } from '../crd-classes/literal.js';
import { type GoProject, goProject } from './go-project.js';
import { type KubebuilderProject, kubebuilderProject } from './kubebuilder-project.js';
import type { MigratedController } from './migrated-controller.js';
import { migratedControllers } from './migrated-controllers.js';
import { MigratedKinds } from './migrated-kinds.js';
import { migratedWebhooks } from './migrated-webhooks.js';
import type { Migration, MigrationSource } from './migration.js';
import { migratedReadme, migrationReport } from './migration-report.js';

/**
 * Migrates a kubebuilder project. Returns the files of a new project with the classes of the kinds, skeletons of the controllers, and a
 * list of the remaining tasks.
 * @throws KubewrightError INVALID_KUBEBUILDER_PROJECT if the PROJECT file is invalid, and INVALID_CRD if a definition is invalid
 */
export function migrationOf(source: MigrationSource): Migration {
  const project = kubebuilderProject(source.project.text, source.project.path);
  const kinds = new MigratedKinds(project, source);
  const go = goProject(source.goSources);
  const { controllers, tasks: controllerTasks } = migratedControllers(project, kinds, go);
  const name = nameProblem(project.name) === undefined ? project.name : asLabel(project.name);
  const webhooks = migratedWebhooks(project, kinds, source.goSources);
  const created = [...kinds.created, ...[...controllers, ...webhooks].map((each) => each.created)];
  const webhookTasks = webhooks.map(({ task }) => task);
  const tasks = [...controllerTasks, ...kinds.tasks, ...webhookTasks, ...usualTasks(project, go)];
  const files = new Map([
    ...shellFiles(name, project),
    ...kinds.files,
    ...controllers.flatMap(({ files: each }) => [...each]),
    ...webhooks.map(({ path, text }) => [path, text] as const),
    ['src/main.ts', mainFile([...controllers, ...webhooks], go.leaderElectionId ?? name)],
    ['README.md', migratedReadme(name)],
    ['MIGRATION.md', migrationReport({ created, tasks })],
  ]);
  return { name, files, created, tasks };
}

/** Returns the files of a new project outside of src and config, which do not depend on the kinds. */
function shellFiles(name: string, { domain, namespaced }: KubebuilderProject): ReadonlyMap<string, string> {
  const files = scaffold({ name, domain, group: '', kind: 'Sample', version: 'v1', namespaced: true });
  const shell = [...files].filter(([path]) => !path.startsWith('src/') && !path.startsWith('config/'));
  return new Map(
    shell.map(([path, text]) => [path, path === 'package.json' && namespaced ? inNamespaces(text) : text]),
  );
}

function inNamespaces(manifest: string): string {
  const parsed = JSON.parse(manifest) as { readonly kubewright?: object };
  return `${JSON.stringify({ ...parsed, kubewright: { ...parsed.kubewright, namespaced: true } }, undefined, 2)}\n`;
}

function mainFile(classes: readonly Pick<MigratedController, 'className' | 'path'>[], lease: string): string {
  const modules = classes.map(
    ({ className, path }) => [path.replace(/^src\//, './').replace(/\.ts$/, '.js'), className] as const,
  );
  const imports = modules
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, className]) => `import { ${className} } from '${module}';\n`);
  const adds = classes.map(({ className }) => `manager.add(${className});\n`);
  return `import { Manager } from '@kubewright/runtime';
${imports.join('')}
const manager = new Manager({ leaderElection: ${quoted(lease)} });
${adds.join('')}await manager.start();
`;
}

function usualTasks({ plugins, namespaced }: KubebuilderProject, { namespacesFrom }: GoProject): readonly string[] {
  const isLimited = namespacesFrom !== undefined && !namespaced;
  return [
    ...(isLimited
      ? [
          `check ${namespacesFrom}, which can limit the program to namespaces: set "namespaced": true in package.json, or the namespaces of the manager in src/main.ts`,
        ]
      : []),
    'check the permissions: kubebuilder grants each controller create, update and delete on its own kind; here, only @Rbac grants these permissions',
    'migrate your changes to config, cmd/main.go, Dockerfile and Makefile of the Go project',
    ...plugins.map((plugin) => `check the files of the plugin ${plugin}; the command does not migrate them`),
  ];
}
