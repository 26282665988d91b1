/** The headings of the help, in order. */
export const CommandGroup = {
  project: 'Make a project and add to it:',
  develop: 'Develop:',
  cluster: 'Work with a cluster:',
  ship: 'Ship:',
  other: 'Other:',
} as const;
