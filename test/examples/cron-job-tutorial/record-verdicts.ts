// node test/dist/examples/cron-job-tutorial/record-verdicts.js FOLDER: sends the generated CronJobs to the webhooks of kubebuilder's
// multiversion tutorial, and writes verdicts.jsonl. FOLDER is a checkout of kubernetes-sigs/kubebuilder. Requires Go. Commit the result,
// and write the printed versions to the README of this folder.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedObjects, generatedUpdates } from './generated-objects.js';

const COUNT = 200;
const PROJECT = join('docs', 'book', 'src', 'multiversion-tutorial', 'testdata', 'project');
const own = fileURLToPath(new URL('../../../examples/cron-job-tutorial', import.meta.url));

function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly input?: string },
): string {
  const { status, stdout, error } = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false' },
  });
  if (status === 0) return stdout;
  throw error ?? new Error(`${command} ${args.join(' ')} exited with ${status}; see the output above`);
}

/** Compiles and runs the recording program within a copy of the project, because the program imports internal packages of the project. */
function record(checkout: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-verdicts-'));
  try {
    cpSync(join(checkout, PROJECT), folder, { recursive: true });
    mkdirSync(join(folder, 'verdicts'));
    cpSync(join(own, 'verdicts', 'main.go'), join(folder, 'verdicts', 'main.go'));
    const updates = generatedUpdates(COUNT);
    const input = generatedObjects(COUNT).map((object, at) => JSON.stringify({ object, update: updates[at] }));
    const lines = run('go', ['run', './verdicts'], { cwd: folder, input: input.join('\n') });
    writeFileSync(join(own, 'verdicts.jsonl'), lines);
    const modules = readFileSync(join(folder, 'go.mod'), 'utf8').match(
      /^\t\S*\/(cron|client-go|controller-runtime) v\S+/gm,
    );
    console.log(
      `${lines.trim().split('\n').length} verdicts of ${run('git', ['rev-parse', 'HEAD'], { cwd: checkout })}`,
    );
    console.log((modules ?? []).join('\n'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [checkout, ...others] = process.argv.slice(2);
if (checkout === undefined || others.length > 0) {
  console.error('usage: node test/dist/examples/cron-job-tutorial/record-verdicts.js FOLDER');
  process.exitCode = 2;
} else {
  record(checkout);
}
