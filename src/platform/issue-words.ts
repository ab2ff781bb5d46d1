import type { z } from 'zod';

/** The message of a finding in plain words; undefined for a kind that needs a message of its own. */
export function wordsOf(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be a value of type ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return limit('at least', 'more than', issue.minimum, issue);
    case 'too_big':
      return limit('at most', 'less than', issue.maximum, issue);
    default:
      return undefined;
  }
}

function limit(
  inclusive: string,
  exclusive: string,
  bound: number | bigint,
  issue: { readonly origin: string; readonly inclusive?: boolean | undefined },
): string {
  const amount = `${issue.inclusive === false ? exclusive : inclusive} ${bound}`;
  if (issue.origin === 'array') return `must have ${amount} entries`;
  return issue.origin === 'string' ? `must have ${amount} characters` : `must be ${amount}`;
}
