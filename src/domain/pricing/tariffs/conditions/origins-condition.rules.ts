import { originCodes } from '../areas/place.format.rules.ts';
import { conditionKind, rejectUnknown } from './condition-kind.rules.ts';

/** One of some origins, by index. */
export const originsCondition = conditionKind({
  form: { origins: originCodes.optional() },
  isEarly: true,
  isCostly: false,
  guide: ['`origins`', 'it leaves from one of these [origins](#origins)'],
  words: {},
  check: (issues, path, { origins }, known) =>
    rejectUnknown(issues, [...path, 'origins'], origins, { all: known.origins, code: 'unknown_origin' }),
  compile: ({ origins }, names) => origins && new Set(origins.map(code => names.origins.get(code) ?? -1)),
  holds: (origins, { origin }) => origins.has(origin),
});
