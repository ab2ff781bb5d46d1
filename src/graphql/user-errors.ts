import { Fault, type FaultCode, type Issue, pointer, sentence } from '../platform/fault.ts';
import { faultDetail } from '../platform/problem.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { type ErrorCode, ErrorCodeEnum, EXPECTED_FAULTS, type ExpectedFault } from './error-code.ts';

/**
 * The errors that a mutation returns in place of its result if the input, or the state of its subject, does not allow
 * it. Any other error is thrown, and becomes an error of the response.
 */

const EXPECTED: ReadonlySet<FaultCode> = new Set(EXPECTED_FAULTS);

function isExpected(code: FaultCode): code is ExpectedFault {
  return EXPECTED.has(code);
}

export interface UserError {
  readonly code: ErrorCode;
  readonly pointer: string | null;
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export const UserErrorRef = builder.objectRef<UserError>('UserError').implement({
  description: 'One reason why a mutation changed nothing.',
  fields: t => ({
    code: t.expose('code', { type: ErrorCodeEnum, description: 'What is wrong, for programs.' }),
    ...t.nullableColumns('String', {
      pointer:
        'RFC 6901 pointer into `input`, such as `/postalCode`. Empty for the whole input, null if no field is wrong.',
    }),
    message: t.exposeString('message', { description: 'What is wrong, in a sentence that can be shown.' }),
    line: t.exposeInt('line', { nullable: true, description: 'The line of a text, such as a selection, from 1.' }),
    column: t.exposeInt('column', { nullable: true, description: 'The column of that line, from 1.' }),
  }),
});

export interface InputPlaces {
  /** The field that names the subject of the mutation. */
  readonly subject: string | undefined;
  /** Maps a path of the service to its place in the input. */
  of(path: Issue['path']): Issue['path'];
}

/**
 * A thrown value, as errors for the caller.
 *
 * @throws the value itself, if it is not expected or in a request of REST
 */
export function userErrorsOf(
  thrown: unknown,
  { userErrors: noted }: Pick<RequestContext, 'userErrors'>,
  places: InputPlaces,
): readonly UserError[] {
  if (noted === undefined || !(thrown instanceof Fault)) throw thrown;
  const { code, options } = thrown;
  if (options.issues) {
    noted.push(code);
    return options.issues.map(({ code: reason, path, message, line, column }) => {
      const place = places.of(path);
      return { code: reason, pointer: pointer(place), message: sentence({ path: place, message }), line, column };
    });
  }
  if (!isExpected(code)) throw thrown;
  noted.push(code);
  const { subject } = places;
  const place = subject !== undefined && code.endsWith('_not_found') ? pointer([subject]) : null;
  return [{ code, pointer: place, message: faultDetail(thrown) }];
}
