import type { Issue } from '../../../platform/fault.ts';
import type { Checks } from '../../checks.rules.ts';
import { SUBSCRIPTIONS } from '../events/event.rules.ts';

/** Active endpoints of a company. */
export const MAX_ACTIVE = 10;

export interface EndpointInput {
  label: string;
  url: string;
  events: readonly string[];
}

export type EndpointPatch = { [Field in keyof EndpointInput]?: EndpointInput[Field] | null | undefined };

/** Checks the fields that were sent, as far as that needs no network; `checkUrl` is the policy's. */
export function checkEndpoint(
  checks: Checks,
  patch: EndpointPatch,
  checkUrl: (url: string) => Pick<Issue, 'code' | 'message'> | undefined,
): Partial<EndpointInput> {
  const fields: Partial<EndpointInput> = {};
  if (Object.values(patch).every(value => value === undefined)) {
    checks.add([], 'empty', 'must have at least one of label, url, events');
  }
  if (patch.label !== undefined) fields.label = checks.text(['label'], patch.label);
  if (patch.url !== undefined) {
    const issue = patch.url === null ? { code: 'required', message: 'must not be null' } : checkUrl(patch.url);
    if (issue) checks.add(['url'], issue.code, issue.message);
    fields.url = patch.url ?? '';
  }
  if (patch.events !== undefined) fields.events = checkEvents(checks, ['events'], patch.events);
  return fields;
}

/** One or more of those that can be subscribed to; duplicates are folded. */
export function checkEvents(
  checks: Checks,
  path: readonly (string | number)[],
  events: readonly string[] | null,
): string[] {
  const allowed = `one or more of ${SUBSCRIPTIONS.join(', ')}`;
  if (events === null) checks.add(path, 'required', `must be ${allowed}`);
  else if (events.length === 0) checks.add(path, 'required', `must have ${allowed}`);
  for (const [i, event] of (events ?? []).entries()) {
    if (!SUBSCRIPTIONS.includes(event)) checks.add([...path, i], 'not_allowed', `must be ${allowed}`);
  }
  return SUBSCRIPTIONS.filter(name => events?.includes(name));
}
