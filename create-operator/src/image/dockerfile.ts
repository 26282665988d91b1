import { imageOf } from './image-of.js';

/** Specifies how the build stage of the image installs a project. */
export interface DockerfileOptions {
  /** Files besides package.json that the package manager reads, such as 'package-lock.json'. */
  readonly files: readonly string[];
  /** A folder that the package manager also reads. @default none */
  readonly folder?: string;
  /** The command that installs the versions in the lock file, such as 'npm ci'. */
  readonly install: string;
  /** The command that runs a program of the project, such as 'npx'. */
  readonly exec: string;
  /** The command that installs the package manager. @default the image has the package manager */
  readonly setUp?: string;
}

/**
 * Returns the Dockerfile of a project, for Docker and Podman. The first stage compiles and bundles the operator. The last stage has Node.js
 * and the bundle, but no shell and no package manager.
 */
export function dockerfile({ files: read, folder: packages, install, exec, setUp }: DockerfileOptions): string {
  const { user, node, folder, files, entrypoint, env } = imageOf();
  const copies = Object.entries(files).map(([from, to]) => `COPY --from=build ${folder}/${from} ./${to}\n`);
  const variables = Object.entries(env).map(([name, value]) => `ENV ${name}=${value}\n`);
  return `ARG NODE=${node}
# The bundle is the same for every platform, so this stage runs on the platform of the builder.
FROM --platform=$BUILDPLATFORM node:\${NODE}-slim AS build
WORKDIR ${folder}
${setUp === undefined ? '' : `RUN ${setUp}\n`}COPY package.json ${read.join(' ')} .npmrc* ./
${packages === undefined ? '' : `COPY ${packages} ./${packages}\n`}RUN ${install}
COPY . .
RUN ${exec} kubewright build

# Node.js without a shell or package manager.
# The heap limit is a percentage of the memory limit of the container (requires Node.js 24, or 22.21 or later).
FROM gcr.io/distroless/nodejs\${NODE}-debian13:nonroot
WORKDIR ${folder}
${variables.join('')}${copies.join('')}USER ${user}:${user}
ENTRYPOINT ${JSON.stringify(entrypoint).replaceAll('","', '", "')}
`;
}
