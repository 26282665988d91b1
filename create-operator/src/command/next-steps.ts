import { packageManagers } from '../scaffold/package-managers.js';
import type { PackageManager } from '../scaffold/scaffold-options.js';
import { enterFolder } from './enter-folder.js';

/** The state of a new project. */
export interface NextStepsOptions {
  readonly folder: string;
  readonly packageManager: PackageManager;
  readonly install: boolean;
}

/** Returns the lines that list the next commands and their purpose. */
export function nextSteps({ folder, packageManager, install }: NextStepsOptions): readonly string[] {
  const { run, test } = packageManagers[packageManager];
  const steps: readonly (readonly [command: string, purpose: string])[] = [
    ...enterFolder(folder).map((command) => [command, ''] as const),
    ...(install
      ? []
      : ([
          [`${packageManager} install`, ''],
          [`${run} generate`, 'generate config/ from the code'],
        ] as const)),
    [`${run} dev`, 'run the operator with a local API server'],
    [test, 'run the test'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  return ['', 'Next:', ...steps.map(([command, purpose]) => `  ${command.padEnd(width)}   ${purpose}`.trimEnd())];
}
