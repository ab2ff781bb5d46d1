/** The sheets of a workbook, beside the sheet of prices, and the part of a tariff that each states. */

export interface SheetOfPart {
  readonly name: string;
  /** The path of the part in the tariff. */
  readonly path: readonly string[];
  /** Fields that other sheets state. */
  readonly skipped?: readonly string[];
  /** The column whose cell begins the next object; left out if a version has one object, or the tariff. */
  readonly begins?: string;
}

/** The sheets of the parts of a version, in the order of the form. */
export const VERSION_SHEETS: readonly SheetOfPart[] = [
  { name: 'Origins', path: ['versions', 'origins'], begins: 'code' },
  { name: 'Services', path: ['versions', 'services'], begins: 'code' },
  { name: 'Zones', path: ['versions', 'zones'], begins: 'code', skipped: ['bands', 'beyond', 'pallets'] },
  { name: 'Pallet prices', path: ['versions', 'zones', 'pallets'], begins: 'types' },
  { name: 'Pallet classes', path: ['versions', 'palletClasses'], begins: 'code' },
  { name: 'Surcharges', path: ['versions', 'surcharges'], begins: 'code' },
  { name: 'Fuel', path: ['versions', 'fuel'], begins: 'code' },
  { name: 'Options', path: ['versions', 'options'], begins: 'code' },
  { name: 'COD', path: ['versions', 'cod'], begins: 'code' },
  { name: 'Insurance', path: ['versions', 'insurance'], begins: 'code' },
  { name: 'After shipment', path: ['versions', 'afterShipment'], begins: 'code' },
  { name: 'VAT', path: ['versions', 'vat'], begins: 'percent' },
  { name: 'Account', path: ['versions', 'account'] },
];

export const TARIFF_SHEET = { name: 'Tariff', path: [], skipped: ['versions'] } as const satisfies SheetOfPart;
export const VERSIONS_SHEET = {
  name: 'Versions',
  path: ['versions'],
  begins: 'validFrom',
  skipped: [...new Set(VERSION_SHEETS.map(({ path: [, field = ''] }) => field))],
} as const satisfies SheetOfPart;

/** Sheets that people read, and the import does not. */
export const NOTES = ['Columns', 'Notes'] as const;

/** The sheets of parts, in their order. */
export const PART_SHEETS: readonly SheetOfPart[] = [TARIFF_SHEET, VERSIONS_SHEET, ...VERSION_SHEETS];

export const VERSION = 'version';
/** The zone of a row of pallet prices. */
export const ZONE = 'zone';

/** The columns before the columns of the part: they name the version, and the zone, that the object belongs to. */
export function leadingOf({ path }: SheetOfPart): string[] {
  return [VERSION, ZONE].slice(0, Math.max(0, path.length - 1));
}
