import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import type { Fault } from '../../src/platform/fault.ts';
import { closeThreads, inThread } from '../../src/platform/threads/threads.ts';

/** A program: lets a task of a thread take memory without end, and prints how it ended and the most memory of the process. */

const owner = { companyId: 'a' as CompanyId };
const ended = await inThread<object>(owner, new URL('./heavy.thread.ts', import.meta.url), 'grow', []).catch(
  ({ code, options }: Fault): object => ({ code, detail: options?.detail }),
);
await closeThreads();
process.stdout.write(JSON.stringify({ ...ended, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
