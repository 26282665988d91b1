import { controllerPath } from '../scaffold/kind-paths.js';
import type { ScaffoldOptions } from '../scaffold/scaffold-options.js';

/** Returns the main program: a manager with the controller of the project. */
export function mainFile({ name, kind }: Pick<ScaffoldOptions, 'name' | 'kind'>): string {
  const module = controllerPath(kind)
    .replace(/^src\//, './')
    .replace(/\.ts$/, '.js');
  return `import { Manager } from '@kubewright/runtime';
import { ${kind}Controller } from '${module}';

const manager = new Manager({ leaderElection: '${name}' });
manager.add(${kind}Controller);
await manager.start();
`;
}
