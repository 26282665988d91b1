// Prints where this process loads a package from, and the group of the kinds of an example.
import { crdFor } from '@kubewright/api/metadata';
import { kinds } from '@kubewright/example-virtual-machine';

process.stdout.write(
  JSON.stringify({ from: import.meta.resolve('@kubewright/api/metadata'), group: crdFor(kinds).spec.group }),
);
