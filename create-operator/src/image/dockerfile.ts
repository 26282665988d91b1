import { imageOf } from './image-of.js';

/** How a project is installed inside of the image that builds it. */
export interface DockerfileOptions {
  /** What the package manager reads besides package.json, such as 'package-lock.json'. */
  readonly files: readonly string[];
  /** A folder that the package manager reads too. @default none */
  readonly folder?: string;
  /** Installs what the lock file says: 'npm ci'. */
  readonly install: string;
  /** Runs a program of the project: 'npx'. */
  readonly exec: string;
  /** What makes the package manager be there. @default it is there */
  readonly setUp?: string;
}

/**
 * The Dockerfile of a project, for docker and podman. The first stage compiles and bundles; the last has Node.js, that one file, and
 * neither shell nor package manager.
 */
export function dockerfile({ files: read, folder: packages, install, exec, setUp }: DockerfileOptions): string {
  const { user, node, folder, files, entrypoint, env } = imageOf();
  const copies = Object.entries(files).map(([from, to]) => `COPY --from=build ${folder}/${from} ./${to}\n`);
  const variables = Object.entries(env).map(([name, value]) => `ENV ${name}=${value}\n`);
  return `ARG NODE=${node}
# What it makes is the same for every platform, so it is made on that of the builder.
FROM --platform=$BUILDPLATFORM node:\${NODE}-slim AS build
WORKDIR ${folder}
${setUp === undefined ? '' : `RUN ${setUp}\n`}COPY package.json ${read.join(' ')} .npmrc* ./
${packages === undefined ? '' : `COPY ${packages} ./${packages}\n`}RUN ${install}
COPY . .
RUN ${exec} kubewright build

# Node.js and nothing else. The heap follows the memory limit of the container, which takes Node.js 24, or 22.21.
FROM gcr.io/distroless/nodejs\${NODE}-debian13:nonroot
WORKDIR ${folder}
${variables.join('')}${copies.join('')}USER ${user}:${user}
ENTRYPOINT ${JSON.stringify(entrypoint).replaceAll('","', '", "')}
`;
}
