import { join } from 'node:path';
import type { TestEnvironment } from '@kubewright/testing';
import { type StartOptions, startEnvironment } from '../server/start-environment.js';
import { FixtureProject, type Ran } from './fixture-project.js';

/** A project and a cluster. The commands of the project find the cluster through KUBECONFIG. */
export class ClusterProject implements AsyncDisposable {
  readonly env: TestEnvironment;
  readonly project: FixtureProject;
  /** Environment variables through which the commands find the cluster. */
  readonly variables: { readonly KUBECONFIG: string };

  private constructor(env: TestEnvironment, project: FixtureProject) {
    this.env = env;
    this.project = project;
    this.variables = { KUBECONFIG: join(project.root, 'kubeconfig') };
  }
  static async create(
    files: Readonly<Record<string, string>> = {},
    options: StartOptions = {},
  ): Promise<ClusterProject> {
    const env = await startEnvironment({ workloads: true, ...options });
    const made = new ClusterProject(env, await FixtureProject.create(files));
    await env.writeKubeconfig(made.variables.KUBECONFIG);
    return made;
  }

  /** Runs a command against the cluster. */
  run(args: readonly string[]): Promise<Ran> {
    return this.project.run(args, this.variables);
  }
  /** Runs a command that must succeed, and returns its standard output. Throws an error with its standard error if the command fails. */
  async done(args: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(args);
    if (exitCode !== 0) throw new Error(`kubewright ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    return stdout;
  }
  /** Runs a command with an edited kubeconfig. */
  async runWith(edit: (kubeconfig: string) => string, args: readonly string[]): Promise<Ran> {
    const path = join(this.project.root, 'other-kubeconfig');
    await this.project.write('other-kubeconfig', edit(await this.project.read('kubeconfig')));
    return this.project.run([...args, '--kubeconfig', path]);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.project[Symbol.asyncDispose]();
    await this.env[Symbol.asyncDispose]();
  }
}
