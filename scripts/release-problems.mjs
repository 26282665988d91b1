// Finds problems that block a release: in package.json files, in the changelog, in licenses of dependencies, and on the publishing machine.

/** The allowed licenses of dependencies. They do not impose conditions on the code of users. */
const LICENSES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);
const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/**
 * Returns the problems in the package.json files of the published packages.
 * @param packages the folder and the manifest of each package
 * @param repository the package.json of the repository root
 */
export function manifestProblems(packages, repository) {
  const names = new Set(packages.map(({ manifest }) => manifest.name));
  return packages.flatMap(({ folder, manifest }) => {
    const problems = [
      ...nameProblems(folder, manifest),
      ...versionProblems(manifest, repository.version, names),
      ...licenseProblems(manifest, repository),
      ...provenanceProblems(folder, manifest, repository),
    ];
    return problems.map((problem) => `${folder}/package.json: ${problem}`);
  });
}

function nameProblems(folder, { name, private: isPrivate }) {
  const expected = folder.startsWith('packages/') ? folder.replace('packages/', '@kubewright/') : folder;
  return [
    ...(name === expected ? [] : [`name is '${name}'; set it to '${expected}'`]),
    ...(isPrivate === true ? ['the package is private; remove "private"'] : []),
  ];
}

/** Checks that a package has the version of the repository, and depends on exactly this version of the other packages. */
function versionProblems(manifest, version, names) {
  const { version: own, dependencies, peerDependencies, optionalDependencies } = manifest;
  const ranges = Object.entries({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  return [
    ...(VERSION.test(version) ? [] : [`the version of the repository is '${version}'; use a version such as 1.2.3`]),
    ...(own === version
      ? []
      : [`version is '${own}'; set it to '${version}', as in the package.json of the repository`]),
    ...ranges.flatMap(([name, range]) => {
      if (names.has(name))
        return range === version ? [] : [`the version of dependency ${name} is '${range}'; set it to '${version}'`];
      return /^[~^>=\d]/.test(range)
        ? []
        : [`the version of dependency ${name} is '${range}', which is not a version range`];
    }),
  ];
}

function licenseProblems({ license }, repository) {
  return license === repository.license ? [] : [`license is '${license}'; set it to '${repository.license}'`];
}

/** Checks the settings that npm requires to publish: the location of the sources for provenance, and public access for a scoped package. */
function provenanceProblems(folder, { publishConfig = {}, repository }, { repository: root }) {
  const { url, directory, type } = repository ?? {};
  return [
    ...(publishConfig.access === 'public' ? [] : ['publishConfig.access is not "public"']),
    ...(publishConfig.provenance === true ? [] : ['publishConfig.provenance is not true']),
    ...(type === 'git' && url !== undefined && url === root?.url
      ? []
      : ['repository.type and repository.url differ from those of the repository']),
    ...(directory === folder ? [] : [`repository.directory is '${directory}'; set it to '${folder}'`]),
  ];
}

/** Returns a problem for each package in package-lock.json whose license is not allowed. Ignores development dependencies. */
export function dependencyLicenseProblems({ packages }) {
  return Object.entries(packages).flatMap(([path, { license, dev, link }]) => {
    if (dev === true || link === true || !path.includes('node_modules/')) return [];
    const alternatives = (license ?? 'none').replaceAll(/[()]/g, '').split(' OR ');
    if (alternatives.some((each) => LICENSES.has(each))) return [];
    return [`${path.replace(/.*node_modules\//, '')}: the license is ${license ?? 'not declared'}`];
  });
}

/**
 * Returns the title of the changelog section with the changes of a version: the version, or otherwise 'Unreleased'. Returns undefined if
 * neither section contains a list item.
 */
export function changelogSection(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const titled = (title) => sections.find((section) => section.split(/[\s\n]/)[0]?.replaceAll(/[[\]]/g, '') === title);
  const hasText = (section) => section !== undefined && /^- /m.test(section);
  if (hasText(titled(version))) return version;
  return hasText(titled('Unreleased')) ? 'Unreleased' : undefined;
}

/**
 * Returns the reasons why a version cannot be published from this machine and commit. `changes` is the result of `changelogSection`, `tags`
 * are the tags of the current commit, and `status` is the output of `git status --porcelain`.
 */
export function publishRefusals({ version, changes, tags, status, env }) {
  const hasIdentity = [env.ACTIONS_ID_TOKEN_REQUEST_URL, env.SIGSTORE_ID_TOKEN].some(Boolean);
  return [
    ...(changes === version
      ? []
      : [`CHANGELOG.md has no section for ${version}; rename "Unreleased" to "${version} - DATE"`]),
    ...(status === '' ? [] : ['the work tree has uncommitted files; commit or remove them']),
    ...(tags.includes(`v${version}`) ? [] : [`the current commit has no tag v${version}; run git tag v${version}`]),
    ...(hasIdentity
      ? []
      : [
          'npm cannot generate provenance: this is not a CI job with an OpenID Connect identity; on GitHub, set "permissions: id-token: write" in the job; on GitLab, define an id token SIGSTORE_ID_TOKEN',
        ]),
    ...(env.NODE_AUTH_TOKEN || env.NPM_TOKEN || env.ACTIONS_ID_TOKEN_REQUEST_URL
      ? []
      : [
          'npm has no permission to publish; set NODE_AUTH_TOKEN, or configure the job as a trusted publisher of the packages',
        ]),
  ];
}

/** Sorts packages so that each package follows its dependencies. */
export function inDependencyOrder(packages) {
  const byName = new Map(packages.map((each) => [each.manifest.name, each]));
  const ordered = new Set();
  const add = (each, above) => {
    if (above.includes(each))
      throw new Error(`packages depend on each other: ${above.map(({ manifest }) => manifest.name).join(' → ')}`);
    for (const name of Object.keys(each.manifest.dependencies ?? {})) {
      const dependency = byName.get(name);
      if (dependency !== undefined && !ordered.has(dependency)) add(dependency, [...above, each]);
    }
    ordered.add(each);
  };
  for (const each of packages) if (!ordered.has(each)) add(each, []);
  return [...ordered];
}

/**
 * Returns the npm dist-tag of a version. For a prerelease with a name, such as 1.0.0-rc.1, returns the name, 'rc'. For a prerelease without
 * a name, such as 1.0.0-1, returns 'next'. For other versions, returns 'latest'.
 */
export function distTag(version) {
  if (!version.includes('-')) return 'latest';
  return /-([a-z]+)/i.exec(version)?.[1] ?? 'next';
}
