/** How the user calls the command: with the published packages, or in a clone of the repository with the packages of the clone. */
export type CalledAs = 'npm create operator@latest' | 'npm run create --';

/** Returns the output of --help. */
export function helpText(calledAs: CalledAs): string {
  const isClone = calledAs === 'npm run create --';
  const [separator, folder] = isClone ? ['', '../'] : ['-- ', ''];
  return `Makes a Kubernetes operator in TypeScript, ready to run.

Usage:
  ${calledAs} [folder] [${separator}options]

What is not given is asked for; without a terminal, and with --yes, it has its default.

Options:
  --name NAME               of the project and of the operator in a cluster (default: the folder)
  --domain DOMAIN           that your API groups end in (default: example.com)
  --group GROUP             before the domain (default: none)
  --kind KIND               of your objects, in PascalCase (default: from the name)
  --version VERSION         of the kind (default: v1)
  --cluster-scoped          objects live in no namespace
  --multi-group             a folder for each API group
  --package-manager NAME    npm, pnpm, yarn (from version 4 on) or bun (default: the one that is running)
  --no-install              install no packages, and leave config/ to 'npm run generate'
  --no-git                  make no git repository
  --force                   use a folder that has other files: none is written over, README.md stays,
                            and .gitignore gets the lines that it lacks
  -y, --yes                 ask nothing
  -h, --help                print this

Examples:
  ${calledAs} ${folder}my-operator
  ${calledAs} ${folder}web-operator ${separator}--domain example.com --group web --kind Website --yes
`;
}
