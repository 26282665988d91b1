/** The headings of the groups of commands in `kubewright --help`, in order of appearance. */
export const CommandGroup = {
  project: 'Create and extend a project:',
  develop: 'Develop:',
  cluster: 'Work with a cluster:',
  ship: 'Build and release:',
  other: 'Other commands:',
} as const;
