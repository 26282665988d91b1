import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = `
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { KUBERNETES_EXEC_INFO, FLAVOUR, HOME } = process.env;
const run = { args: process.argv.slice(2), info: JSON.parse(KUBERNETES_EXEC_INFO), flavour: FLAVOUR, home: HOME };
appendFileSync(join(__dirname, 'runs'), JSON.stringify(run) + '\\n');
const code = join(__dirname, 'code');
process.exitCode = existsSync(code) ? Number(readFileSync(code, 'utf8')) : 0;
process.stdout.write(readFileSync(join(__dirname, 'answer'), 'utf8'));
`;

/** The arguments and the input of one run of the plugin. */
export interface RunOfPlugin {
  readonly args: readonly string[];
  readonly info: {
    readonly kind: string;
    readonly apiVersion: string;
    readonly spec: Readonly<Record<string, unknown>>;
  };
  readonly flavour?: string;
  readonly home?: string;
}

/** A credential plugin for tests: a program in its own folder, which returns the output that the test sets. */
export class CredentialPlugin implements AsyncDisposable {
  readonly folder: string;
  readonly command: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.command = join(folder, 'plugin');
  }

  static async start(): Promise<CredentialPlugin> {
    const plugin = new CredentialPlugin(await mkdtemp(join(tmpdir(), 'kubewright-plugin-')));
    const program = `${plugin.command}.cjs`;
    await writeFile(program, PROGRAM);
    // The line with #! cannot contain the path of an interpreter with spaces, so a shell starts Node.js.
    await writeFile(plugin.command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    await chmod(plugin.command, 0o755);
    return plugin;
  }

  /** Sets the status that the plugin returns. */
  gives(status: object, apiVersion = 'client.authentication.k8s.io/v1'): Promise<void> {
    return this.writes(JSON.stringify({ apiVersion, kind: 'ExecCredential', status }));
  }
  /** Sets the output of the plugin. */
  writes(text: string): Promise<void> {
    return writeFile(join(this.folder, 'answer'), text);
  }
  /** Sets the exit code of the plugin. */
  endsWith(code: number): Promise<void> {
    return writeFile(join(this.folder, 'code'), String(code));
  }

  async runs(): Promise<readonly RunOfPlugin[]> {
    const text = await readFile(join(this.folder, 'runs'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as RunOfPlugin);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
