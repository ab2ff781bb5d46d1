/** Notes the patterns that are put together by `new RegExp`, of modules that are loaded after this one. */

export const made: { readonly source: string; readonly flags: string; readonly place: string }[] = [];

const Own = globalThis.RegExp;
globalThis.RegExp = new Proxy(Own, {
  construct(target, parameters, newTarget) {
    const pattern = Reflect.construct(target, parameters, newTarget) as RegExp;
    const [, , place = ''] = new Error().stack?.split('\n') ?? [];
    made.push({ source: pattern.source, flags: pattern.flags, place });
    return pattern;
  },
});
