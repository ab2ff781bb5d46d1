import { Fault } from '../fault.ts';

/** The outcome of a task. A fault is sent as data, because an error loses its class between threads. */
export type Outcome<Result> = { readonly result: Result } | { readonly fault: Pick<Fault, 'code' | 'options'> };

/** Makes a function the task of a thread. Its parameters and its result must be plain data. */
export function asTask<Parameters extends readonly unknown[], Result>(
  act: (...parameters: Parameters) => Result | Promise<Result>,
): (parameters: Parameters) => Promise<Outcome<Result>> {
  return async parameters => {
    try {
      return { result: await act(...parameters) };
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      return { fault: { code: thrown.code, options: thrown.options } };
    }
  };
}
