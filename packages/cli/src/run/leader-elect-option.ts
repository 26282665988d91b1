import { Option } from 'commander';

/** Returns the option `--leader-elect` for commands that run an operator on this machine. */
export function leaderElectOption(): Option {
  return new Option(
    '--leader-elect',
    'take part in the leader election of the operator that is deployed in the cluster',
  );
}
