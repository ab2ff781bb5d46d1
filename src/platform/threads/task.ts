import { Fault } from '../fault.ts';

/** What a task came to. A fault crosses as data, since an error loses its class on the way. */
export type Outcome<Result> = { readonly result: Result } | { readonly fault: Pick<Fault, 'code' | 'options'> };

/** A function as the task of a thread. Its parameters and its result must be plain data. */
export function asTask<Parameters extends readonly unknown[], Result>(
  act: (...parameters: Parameters) => Result,
): (parameters: Parameters) => Outcome<Result> {
  return parameters => {
    try {
      return { result: act(...parameters) };
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      return { fault: { code: thrown.code, options: thrown.options } };
    }
  };
}
