export { type LatePolls, latePolls } from './late-polls.repository.ts';
