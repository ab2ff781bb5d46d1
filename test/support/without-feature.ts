import { registerHooks } from 'node:module';

/**
 * Leaves a feature out of the list of features. A process is started with `--import` of this file and with
 * `WITHOUT_FEATURE`, the name of the feature's line in `src/features.ts`; without it, all features stay.
 */
const { WITHOUT_FEATURE: name } = process.env;
const LIST = new URL('../../src/features.ts', import.meta.url).href;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (name === undefined || url !== LIST) return loaded;
    const all = Buffer.from(loaded.source as Uint8Array).toString();
    const source = all.replace(`\n  ${name},\n`, '\n');
    if (source === all) throw new Error(`src/features.ts has no line ${name}`);
    return { ...loaded, source };
  },
});
