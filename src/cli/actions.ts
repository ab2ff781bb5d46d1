/**
 * Actions of commands, out of a module that is imported once one of them runs: help and refused options, which need
 * nothing of what commands do, don't wait for it.
 */
export function actionsOf<Module>(load: () => Promise<Module>) {
  return <Args extends unknown[], Result>(choose: (module: Module) => (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> =>
      choose(await load())(...args);
}
