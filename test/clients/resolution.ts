import { registerHooks } from 'node:module';

// Loaded before generators and the programs that use what they make (`node --import`).

/** TypeScript 5, since TypeScript 7, which the project has, has no API for generators. */
const compiler = import.meta.resolve('typescript');

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'typescript') return { url: compiler, shortCircuit: true };
    if (!specifier.startsWith('.')) return next(specifier, context);
    // As bundlers resolve them, and `tsx`, with which the guide runs its programs.
    const candidates = [specifier, specifier.replace(/\.js$/, '.ts'), `${specifier}.ts`, `${specifier}/index.ts`];
    const found = candidates.map(candidate => attempt(() => next(candidate, context))).find(result => result);
    return found ?? next(specifier, context);
  },
});

function attempt<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
