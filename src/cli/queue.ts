import type { Command } from 'commander';
import { actionsOf } from './actions.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

const queues = actionsOf(() => import('./queue.actions.ts'));

/** `cli queue …`: what workers have to do. */
export function addQueueCommands(program: Command, answering: Answering): void {
  const queue = program.command('queue').description('Queues: what workers have to do');
  queue
    .command('list')
    .description('list queues: what is due, comes later, is in hand or was given up, and how long the oldest waits')
    .action(answering(queues(actions => actions.listQueues)));
  queue
    .command('redrive')
    .description('send what lies in a dead-letter queue back to where it came from, oldest first; answers how many')
    .requiredOption('--queue <name>', 'a dead-letter queue, as `queue list` shows it')
    .option('--limit <count>', 'as many at most', wholeNumber(1, 1_000_000), 1_000)
    .action(answering(queues(actions => actions.redriveQueue)));
}
