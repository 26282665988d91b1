// Prints the CustomResourceDefinition of the class, for `kubectl apply -f -`.
import { crdFor } from '@kubewright/api/metadata';
import { stringify } from 'yaml';
import { Project } from './api/v1alpha1/project.js';

process.stdout.write(stringify(crdFor(Project)));
