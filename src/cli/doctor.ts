import type { Command } from 'commander';
import { actionsOf } from './actions.ts';

const doctor = actionsOf(() => import('./doctor.actions.ts'));

/** `cli doctor`: whether what the service stands on is as it needs it. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('examine settings, database, secrets, queues and disk, and say what to do')
    .action(doctor(actions => actions.examine));
}
