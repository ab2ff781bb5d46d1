import { builder } from '../../../graphql/builder.ts';
import { type Issue, invalid } from '../../../platform/fault.ts';
import { ExpiredRef } from './changes.graphql.ts';
import { type ChangesProof, FIRST_HASH, proveChanges } from './changes-proof.service.ts';

const MAX_RANGE = 100_000;
const HASH = /^[0-9a-f]{64}$/;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Reading and hashing a change takes as long as a value of a response. */
const cost = ({ from, to }: Range) => Math.min(Math.max(to - from + 1, 1), MAX_RANGE);

const ProofRef = builder.objectRef<ChangesProof>('ChangesProof').implement({
  description: 'How many changes a part of the change log has, and their hash.',
  fields: t => ({
    count: t.exposeInt('count', {
      description: 'How many changes the range has. The log can end before the range does.',
    }),
    hash: t.exposeString('hash', {
      description:
        'The last hash of the chain: SHA-256 in 64 hexadecimal digits. Give it as `previous` for the range that follows.',
    }),
  }),
});

const ResultRef = builder.unionType('ChangesProofResult', {
  description: 'The hash of a range of changes, or the error that they are no longer kept.',
  types: [ProofRef, ExpiredRef],
  resolveType: result => ('hash' in result ? ProofRef : ExpiredRef),
});

builder.queryField('changesProof', t =>
  t.field({
    type: ResultRef,
    description: `The number of changes in a range of the change log, and a hash chain over them, so that a consumer can prove that its copy is complete. A call takes at most ${MAX_RANGE} numbers. Each costs as much as a value of a response. The guide on changes says how to calculate the hash.`,
    authScopes: { scope: 'shipments:tracking' },
    args: {
      from: t.arg.int({ required: true, description: 'The number of the first change; 1 or more.' }),
      to: t.arg.int({ required: true, description: `The number of the last change; ${MAX_RANGE} numbers at most.` }),
      previous: t.arg.string({
        description: 'The hash after the change before `from`, in 64 hexadecimal digits; 64 zeros if left out.',
      }),
    },
    complexity: range => ({ field: cost(range) }),
    extensions: { work: cost },
    resolve: (_root, { from, to, previous }, { tenant }) => {
      const issues = wrong({ from, to }, previous);
      if (issues.length > 0) throw invalid(issues);
      return proveChanges(tenant, { from, to }, previous ?? FIRST_HASH);
    },
  }),
);

function wrong({ from, to }: Range, previous: string | null | undefined): readonly Issue[] {
  const issues: Issue[] = [];
  if (from < 1) issues.push({ path: ['from'], code: 'out_of_range', message: 'must be 1 or more' });
  else if (to < from || to - from >= MAX_RANGE)
    issues.push({
      path: ['to'],
      code: 'out_of_range',
      message: `must be from \`from\` to ${MAX_RANGE - 1} numbers beyond it`,
    });
  if (previous != null && !HASH.test(previous))
    issues.push({ path: ['previous'], code: 'invalid_hash', message: 'must be 64 hexadecimal digits in lower case' });
  return issues;
}
