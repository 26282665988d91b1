import { packageManagers } from '../scaffold/package-managers.js';
import type { PackageManager } from '../scaffold/scaffold-options.js';

/** The Dockerfile of a project: its image has Node.js and one bundled file, and runs as nobody. */
export function dockerFile({ packageManager = 'npm' }: { readonly packageManager?: PackageManager }): string {
  const { setUp, ci, exec, lockFile } = packageManagers[packageManager];
  return `FROM node:24-slim AS build
WORKDIR /operator
${setUp === undefined ? '' : `RUN ${setUp}\n`}COPY package.json ${lockFile} ./
RUN ${ci}
COPY . .
RUN ${exec} kubewright build --bundle

FROM node:24-slim
WORKDIR /operator
COPY --from=build /operator/dist/operator.js ./
USER 65532:65532
ENV NODE_ENV=production
# The heap grows with the memory limit of the container, and leaves a quarter of it for buffers.
ENTRYPOINT ["node", "--max-old-space-size-percentage=75", "--enable-source-maps", "operator.js"]
`;
}

/** What does not go into the image, which each builder understands: a plain list. */
export function dockerIgnoreFile(): string {
  return `.git
.github
.kubewright
.vscode
Dockerfile
README.md
config
dist
node_modules
`;
}
