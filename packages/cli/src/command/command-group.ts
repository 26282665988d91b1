/** The headings of the help, in order. */
export const CommandGroup = {
  project: 'Create and extend a project:',
  develop: 'Develop:',
  cluster: 'Work with a cluster:',
  ship: 'Build and release:',
  other: 'Other commands:',
} as const;
