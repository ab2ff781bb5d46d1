import { type Cell, textOf } from '../../../platform/tables/sent-table.ts';
import { momentsInItaly } from '../date-time.rules.ts';
import { type DayOrder, readDay, type WrongCell } from './cell-values.rules.ts';

/** Reads moments as people write them in tables: `21/11/2026 09:30`, or a cell with a date and a time. */

const ITALIAN_TIME = 'Times without an offset are read as times in Italy.';
const DAY_FIRST = 'Days such as 03/11/2026 are read with the day first.';

export type ReadMoment =
  | {
      /** A date-time with an offset or a day as `YYYY-MM-DD`; any other text is unchanged. */
      readonly value: string;
      /** Sentences about defaults. */
      readonly assumed: readonly string[];
    }
  | WrongCell;

const WITH_TIME = /^(\S{6,10})[T ,]{1,2}(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?$/;
const EITHER_ORDER = /^(?:0?[1-9]|1[0-2])[./-](?:0?[1-9]|1[0-2])[./-]/;

/** @param order whether the day or the month is first, if it is stated */
export function readMoment(cell: Cell | undefined, order: DayOrder | undefined): ReadMoment {
  const text = textOf(cell);
  const [, date = text, hour, minute, second = '00'] = WITH_TIME.exec(text) ?? [];
  // A date-time with an offset is not a day.
  const day = /[T ]/.test(date) ? undefined : readDay(date, order);
  if (day === undefined) return { value: text, assumed: [] };
  const ofDay = order === undefined && EITHER_ORDER.test(date) ? [DAY_FIRST] : [];
  if (hour === undefined) return { value: day, assumed: ofDay };
  const [at, again] = momentsInItaly(day, `${hour.padStart(2, '0')}:${minute}:${second}`);
  if (at !== undefined && again === undefined) return { value: at.toISOString(), assumed: [...ofDay, ITALIAN_TIME] };
  const why =
    again === undefined
      ? 'a time that exists in Italy'
      : `unambiguous: it is ${[at, again].map(one => one?.toISOString()).join(' or ')}`;
  return { code: 'invalid_date_time', message: `must be ${why}` };
}
