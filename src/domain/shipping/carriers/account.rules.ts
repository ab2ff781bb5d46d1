import type { Issue } from '../../../platform/fault.ts';
import type { AddressFinding, TrackingFinding } from './carrier.port.ts';
import {
  CARRIERS,
  type Capability,
  type Carrier,
  type CredentialName,
  QUESTIONS,
  type Question,
} from './carriers.catalog.ts';

/** A carrier's credentials in an input: the fields that this carrier asks for. */
export type CredentialsInput = { readonly [Name in CredentialName]?: string | null | undefined };

/** The context with which a box of credentials is sealed. */
export function credentialsContext(companyId: string, carrierConnectionId: number): string {
  return `carrier_connection ${companyId} ${carrierConnectionId}`;
}

/** Every credential that a carrier asks for. */
export function credentialNames({ credentials }: Pick<Carrier, 'credentials'>): readonly CredentialName[] {
  return [...new Set(QUESTIONS.flatMap(question => credentials[question] ?? []))];
}

/** Every setting that may stand beside the credentials of a carrier. */
export function settingNames({ settings = {} }: Pick<Carrier, 'settings'>): readonly CredentialName[] {
  return Object.keys(settings) as CredentialName[];
}

/** The questions for which the given credentials are enough. */
export function questionsOf({ credentials }: Pick<Carrier, 'credentials'>, given: readonly string[]): Question[] {
  return QUESTIONS.filter(question => credentials[question]?.every(name => given.includes(name)) ?? false);
}

/** The questions that the carrier answers to anyone, on a connection without credentials too. */
export function openQuestions(carrier: Pick<Carrier, 'credentials'>): readonly Question[] {
  return questionsOf(carrier, []);
}

/** Carriers that anyone can ask about shipments. */
export const FOLLOWED_FOR_ANYONE = CARRIERS.filter(carrier => openQuestions(carrier).includes('tracking')).map(
  ({ code }) => code,
);

/** Whether the service has an interface to the carrier. */
export function isAsked({ credentials }: Pick<Carrier, 'credentials'>): boolean {
  return QUESTIONS.some(question => credentials[question]);
}

/** Whether the carrier takes other credentials for tracking than for the rest, so that each has its own verdict. */
export function hasOwnCredentials({ credentials }: Pick<Carrier, 'credentials'>, question: Question): boolean {
  return question === 'tracking' && String(credentials.tracking) !== String(credentials.address_check);
}

/**
 * Checks that the input is enough for one question at least, that no credential is left over without the others of its
 * question, and that there is nothing else.
 */
export function credentialIssues(carrier: Carrier, input: object): readonly Issue[] {
  const names = credentialNames(carrier);
  if (names.length === 0) {
    const why = isAsked(carrier) ? `${carrier.name} asks for none` : `the service has no interface to ${carrier.name}`;
    const message = `must be left out: ${why}`;
    return [{ path: ['credentials'], code: 'not_allowed', message }];
  }
  const credentials = credentialsOf(input);
  const given = Object.keys(credentials);
  const asks = `${carrier.name} asks for ${wordsOf(carrier)}`;
  const known: readonly string[] = [...names, ...settingNames(carrier)];
  const extra = given
    .filter(name => !known.includes(name))
    .map(name => ({ name, code: 'not_allowed' as const, message: `must be left out: ${asks}` }));
  const wrong = settingNames(carrier).flatMap(name => {
    const values = carrier.settings?.[name];
    const isAllowed = !values || credentials[name] === undefined || values.includes(credentials[name]);
    return isAllowed ? [] : [{ name, code: 'not_allowed' as const, message: `must be one of ${values.join(', ')}` }];
  });
  const missing = missingNames(carrier, given).map(name => ({
    name,
    code: 'required' as const,
    message: `must be given: ${asks}`,
  }));
  return [...extra, ...wrong, ...missing].map(({ name, code, message }) => ({
    path: ['credentials', name],
    code,
    message,
  }));
}

/** The credentials that are missing beside the given ones. */
function missingNames(carrier: Carrier, given: readonly string[]): readonly CredentialName[] {
  const { credentials } = carrier;
  const complete = questionsOf(carrier, given);
  const used = new Set<string>(complete.flatMap(question => credentials[question] ?? []));
  const isLeftOver = (name: string) => given.includes(name) && !used.has(name);
  const open = QUESTIONS.filter(question => credentials[question] && !complete.includes(question)).map(question => {
    const names = credentials[question] ?? [];
    return { begun: names.filter(isLeftOver).length, missing: names.filter(name => !given.includes(name)) };
  });
  // The question that most of the given ones are for, or else the one that lacks the fewest.
  const [meant] = open.toSorted((a, b) => b.begun - a.begun || a.missing.length - b.missing.length);
  return meant && (meant.begun > 0 || complete.length === 0) ? meant.missing : [];
}

const QUESTION_WORDS: Readonly<Record<Question, string>> = {
  tracking: 'tracking',
  address_check: 'the check of addresses',
};

function wordsOf(carrier: Carrier): string {
  const asked = QUESTIONS.filter(question => carrier.credentials[question]);
  const needed =
    asked.length < QUESTIONS.length || !hasOwnCredentials(carrier, 'tracking')
      ? credentialNames(carrier).join(', ')
      : asked
          .map(question => `${carrier.credentials[question]?.join(', ')} for ${QUESTION_WORDS[question]}`)
          .join(', and ');
  const settings = settingNames(carrier);
  return settings.length === 0 ? needed : `${needed}, and takes ${settings.join(', ')}`;
}

/**
 * The capabilities of an active connection: the carrier's, without the questions that the carrier cannot be asked.
 * Prices need no account; the tariff depends on the day of shipment, so it does not matter here.
 */
export function capabilitiesOf({ capabilities }: Carrier, asked: readonly Question[]): readonly Capability[] {
  const unasked = QUESTIONS.filter(question => !asked.includes(question));
  return capabilities.filter(capability => !unasked.some(question => question === capability));
}

export type Credentials = Readonly<Record<string, string>>;

/** The credentials of an input, without nulls. */
export function credentialsOf(input: object): Credentials {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== undefined));
}

/**
 * The state of a connection's credentials once they were rejected: `refused`, the carrier rejects them; `changed`, they
 * were replaced, and the carrier was not asked with the new ones yet.
 */
export type CredentialsState = 'refused' | 'changed';

/** The verdict of a carrier's responses on the credentials; null if they give none. */
export function credentialsVerdict(
  answers: readonly (TrackingFinding | AddressFinding)['kind'][],
): 'accepted' | 'refused' | null {
  if (answers.some(kind => PROOFS.has(kind))) return 'accepted';
  return answers.includes('refused') ? 'refused' : null;
}

/** Responses that a carrier gives only to valid credentials. */
const PROOFS: ReadonlySet<string> = new Set<(TrackingFinding | AddressFinding)['kind']>([
  'events',
  'not_found',
  'confirmed',
  'candidates',
  'corrected',
]);
