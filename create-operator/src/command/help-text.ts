/** How the user calls the command: with the published packages, or in a clone of the repository with the packages of the clone. */
export type CalledAs = 'npm create operator@latest' | 'npm run create --';

/** Returns the output of --help. */
export function helpText(calledAs: CalledAs): string {
  const isClone = calledAs === 'npm run create --';
  const [separator, folder] = isClone ? ['', '../'] : ['-- ', ''];
  return `Creates a Kubernetes operator in TypeScript that is ready to run.

Usage:
  ${calledAs} [folder] [${separator}options]

The command prompts for missing values. Without a terminal, or with --yes, it uses the defaults.

Options:
  --name NAME               the name of the project and of the operator (default: the name of the folder)
  --domain DOMAIN           the suffix of your API groups (default: example.com)
  --group GROUP             the part of the API group before the domain (default: none)
  --kind KIND               the kind of your objects, in PascalCase (default: derived from the name)
  --version VERSION         the version of the kind (default: v1)
  --cluster-scoped          make the kind cluster-scoped
  --multi-group             create a folder for each API group
  --package-manager NAME    npm, pnpm, yarn (4 or later) or bun (default: the one that runs the command)
  --no-install              do not install packages; run 'npm run generate' later to create config/
  --no-git                  do not create a git repository
  --force                   use a folder with other files: existing files are kept, and .gitignore receives
                            the missing lines
  -y, --yes                 use the defaults, and do not prompt
  -h, --help                print this help

Examples:
  ${calledAs} ${folder}my-operator
  ${calledAs} ${folder}web-operator ${separator}--domain example.com --group web --kind Website --yes
`;
}
