import { z } from 'zod';
import { palletType } from '../areas/place.format.rules.ts';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { atLeastOne, cm, kg, ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { ParcelKind, Shipment } from '../shipment-terms.rules.ts';
import { DECIMALS, decimalNumber, grams, kilograms, side } from '../units.rules.ts';

/**
 * Classes of pallets by weight, height and floor. A pallet is of the first class that holds it in every dimension, so that
 * its dearest one decides. From then on the class is its type.
 */

const palletClass = z
  .strictObject({
    code: palletType.describe('The type that pallets of this class have, for prices and conditions.'),
    upToKg: kg.describe('Most real weight of the pallet.').optional(),
    heightCm: cm.describe('Most height.').optional(),
    lengthCm: cm.describe('Most of the longer side of its floor.').optional(),
    widthCm: cm.describe('Most of the shorter side of its floor.').optional(),
    isStackable: z.literal(true).describe('Only pallets on which something can stand.').optional(),
  })
  .meta({ id: 'PalletClass', ...atLeastOne('upToKg', 'heightCm', 'lengthCm', 'widthCm', 'isStackable') });

type PalletClass = z.infer<typeof palletClass>;

export const palletClasses = ruleFields({
  form: {
    palletClasses: z
      .array(palletClass)
      .min(1)
      .max(50)
      .describe('Types of pallets by their bounds, ascending: a pallet is of the first that holds it.')
      .optional(),
  },
  words: { palletClasses: 'classes of pallets', heightCm: 'height', lengthCm: 'length', widthCm: 'width' },
  units: { heightCm: 'cm', lengthCm: 'cm', widthCm: 'cm' },
});

/** Bounds in grams and hundredths of a centimetre; Infinity for none. */
export interface CompiledPalletClass {
  readonly code: string;
  readonly grams: number;
  readonly height: number;
  readonly length: number;
  readonly width: number;
  readonly isStackable: boolean;
}

export function compilePalletClass(one: PalletClass): CompiledPalletClass {
  const bound = (value: number | undefined) => (value === undefined ? Number.POSITIVE_INFINITY : side(value));
  return {
    code: one.code,
    grams: one.upToKg === undefined ? Number.POSITIVE_INFINITY : grams(one.upToKg),
    height: bound(one.heightCm),
    length: bound(one.lengthCm),
    width: bound(one.widthCm),
    isStackable: one.isStackable ?? false,
  };
}

/** A shipment whose pallets have the classes of a version as their types. */
export function withPalletClasses(classes: readonly CompiledPalletClass[] | undefined, shipment: Shipment): Shipment {
  if (classes === undefined || !shipment.parcels.some(({ pallet }) => pallet)) return shipment;
  return { ...shipment, parcels: shipment.parcels.map(one => withClass(classes, one)) };
}

/** A type that is a class stays, and so does the type of a pallet that no class holds. */
function withClass(classes: readonly CompiledPalletClass[], parcel: ParcelKind): ParcelKind {
  const { pallet } = parcel;
  if (pallet === undefined || classes.some(({ code }) => code === pallet.type)) return parcel;
  const [longer, shorter] = floorOf(parcel);
  const found = classes.find(
    one =>
      parcel.grams <= one.grams &&
      parcel.height <= one.height &&
      longer <= one.length &&
      shorter <= one.width &&
      (!one.isStackable || pallet.isStackable),
  );
  return found ? { ...parcel, pallet: { ...pallet, type: found.code } } : parcel;
}

/** The two sides that are not the height, the longer first. */
function floorOf({ height, longestSide, secondSide, sumOfSides }: ParcelKind): readonly [number, number] {
  const shortest = sumOfSides - longestSide - secondSide;
  if (height === longestSide) return [secondSide, shortest];
  return [longestSide, height === secondSide ? shortest : secondSide];
}

/** Reports classes that share a code, and classes that no pallet reaches. */
export function checkPalletClasses(issues: TariffIssues, path: Path, classes: readonly PalletClass[] = []): void {
  const compiled = classes.map(compilePalletClass);
  for (const [i, one] of compiled.entries()) {
    const { code: _, ...bounds } = classes[i] ?? {};
    if (Object.values(bounds).every(bound => bound === undefined))
      issues.add(
        [...path, i],
        'required',
        'must have at least one of upToKg, heightCm, lengthCm, widthCm, isStackable',
      );
    const before = compiled.slice(0, i);
    if (before.some(({ code }) => code === one.code))
      issues.add([...path, i, 'code'], 'duplicate', `is the code of another: ${one.code}`);
    const wider = before.find(other => holdsAllOf(other, one));
    if (wider)
      issues.add([...path, i], 'overlap', `is never reached: ${wider.code}, before it, holds all that it holds`);
  }
}

function holdsAllOf(wide: CompiledPalletClass, narrow: CompiledPalletClass): boolean {
  return (
    wide.grams >= narrow.grams &&
    wide.height >= narrow.height &&
    wide.length >= narrow.length &&
    wide.width >= narrow.width &&
    (!wide.isStackable || narrow.isStackable)
  );
}

/** Types of pallets for people, with the limits of their classes: `half (up to 600 kg, 150 cm high)`. */
export function palletTypesText(
  words: Words,
  types: ReadonlySet<string>,
  classes: readonly CompiledPalletClass[] = [],
): string {
  const texts = [...types].map(type => {
    const bounds = boundsText(
      words,
      classes.find(({ code }) => code === type),
    );
    return bounds === '' ? type : `${type} (${bounds})`;
  });
  return texts.join(', ');
}

function boundsText(words: Words, one: CompiledPalletClass | undefined): string {
  if (one === undefined) return '';
  const cm = (value: number, what: 'high' | 'long' | 'wide') =>
    Number.isFinite(value) ? [words[what](`${decimalNumber(value, DECIMALS.cm)} cm`)] : [];
  const weight = Number.isFinite(one.grams) ? [`${kilograms(one.grams)} kg`] : [];
  const sizes = [...weight, ...cm(one.height, 'high'), ...cm(one.length, 'long'), ...cm(one.width, 'wide')];
  const most = sizes.length > 0 ? [words.upTo(sizes.join(', '))] : [];
  return [...most, ...(one.isStackable ? [words.stackable] : [])].join(', ');
}
