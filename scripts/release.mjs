// npm run release -- --dry-run: packs all packages, checks the requirements of a release, and prints the packages to publish. Without
// --dry-run, also checks that this machine can publish, and then publishes the packages with provenance, in dependency order.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showHelp } from './help.mjs';
import { npm, root, setUp } from './setup.mjs';

showHelp(`npm run release [-- --dry-run]

Publishes all packages with provenance, from a tagged commit in a CI job with an OpenID Connect identity.

Options:
  --dry-run   check all requirements of a release and print the packages to publish, without publishing them
  -h, --help  print this help`);

setUp();
const { packageProblems, sizeLine } = await import('./package-problems.mjs');
const { packInto, publishedPackages } = await import('./published-packages.mjs');
const release = await import('./release-problems.mjs');

const isDryRun = process.argv.includes('--dry-run');
const repository = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version } = repository;
const changes = release.changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
const folder = mkdtempSync(join(tmpdir(), 'kubewright-release-'));
try {
  process.exitCode = await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  const refusals = isDryRun ? [] : refusalsOfThisMachine();
  if (refusals.length > 0) return refuse(`cannot release ${version} from this machine`, refusals);
  const problems = [...repositoryProblems()];
  const packed = [];
  for (const each of release.inDependencyOrder(await packInto(folder))) {
    const found = await packageProblems(join(folder, each.filename), each);
    problems.push(...found.map((problem) => `${each.name}: ${problem}`));
    packed.push(each);
  }
  if (problems.length > 0) return refuse(`cannot release ${version}`, problems);
  return isDryRun ? announce(packed) : publish(packed);
}

function repositoryProblems() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return [
    ...release.manifestProblems(publishedPackages(), repository),
    ...release.dependencyLicenseProblems(lock),
    ...(changes === undefined ? [`CHANGELOG.md has no changes in a section ${version} or Unreleased`] : []),
  ];
}

function refusalsOfThisMachine() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout ?? '';
  const tags = git('tag', '--points-at', 'HEAD').split('\n');
  return release.publishRefusals({ version, changes, tags, status: git('status', '--porcelain'), env: process.env });
}

function refuse(title, lines) {
  console.error(`${title}:`);
  for (const line of lines) console.error(`- ${line}`);
  if (!isDryRun) console.error('to check the packages without publishing them, run npm run release -- --dry-run');
  return 1;
}

function announce(packed) {
  console.log(`would publish ${version} as '${release.distTag(version)}', with provenance, in this order:`);
  for (const each of packed) console.log(`  ${sizeLine(each)}`);
  console.log(`the changes are in section ${changes} of CHANGELOG.md`);
  if (changes !== version)
    console.log(`before the release, rename this section to "${version} - DATE" and tag the commit v${version}`);
  return 0;
}

function publish(packed) {
  const [command, ...prefix] = npm;
  for (const { name, filename } of packed) {
    const args = [
      'publish',
      join(folder, filename),
      '--provenance',
      '--access',
      'public',
      '--tag',
      release.distTag(version),
    ];
    const { status } = spawnSync(command, [...prefix, ...args], { cwd: root, stdio: 'inherit' });
    if (status !== 0) {
      console.error(`${name} and all packages after it were not published; the packages before it were published`);
      return 1;
    }
    console.log(`published ${name}@${version}`);
  }
  return 0;
}
