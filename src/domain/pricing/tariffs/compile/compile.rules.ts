import { EU_COUNTRIES } from '../../../common/places/places.rules.ts';
import { compileAccount } from '../account/account-fees.rules.ts';
import type { AreaTable } from '../areas/area.rules.ts';
import { AreaTables, areaTable } from '../areas/area-table.rules.ts';
import { compileByParcel } from '../bands/parcel-bands.rules.ts';
import { compileSteps } from '../bands/steps-beyond.rules.ts';
import { compileBands } from '../bands/weight-bands.rules.ts';
import { type CompiledCondition, compileCondition } from '../conditions/condition-compile.rules.ts';
import type { Names } from '../conditions/condition-kind.rules.ts';
import type { Service, Tariff, TariffVersion, Zone } from '../format/tariff.format.rules.ts';
import { compileLimits } from '../limits.rules.ts';
import { compilePalletClass } from '../pallets/pallet-classes.rules.ts';
import { compilePallets } from '../pallets/pallet-prices.rules.ts';
import { missingReferences, NO_REFERENCES } from '../references/references.rules.ts';
import { ppmOf } from '../units.rules.ts';
import { VAT_TABLE, type VatRow } from '../vat.rules.ts';
import { compileWeight } from '../weight/chargeable-weight.rules.ts';
import { compileLines, compileService } from './compile-lines.rules.ts';
import type {
  CompiledOrigins,
  CompiledTariff,
  CompiledVersion,
  CompiledZone,
  ServiceLevel,
} from './compiled-tariff.rules.ts';

/** Compiles a tariff that was checked. */
export function compileTariff(tariff: Tariff, references = NO_REFERENCES): CompiledTariff {
  const { name, versions: all } = tariff;
  const versions: CompiledVersion[] = [];
  const tables = new AreaTables(references.lists);
  for (const [index, version] of all.entries()) {
    const nextFrom = all[index + 1]?.validFrom;
    const zones = version.zones.map(compileZone);
    const shared = { references, tables, zones: positionsOf(version.zones), origins: positionsOf(version.origins) };
    for (const [position, service] of (version.services ?? [undefined]).entries()) {
      const names = { ...shared, service: service?.code };
      const compiled = compileVersion(version, nextFrom, names, service && { ...service, position });
      versions.push({ ...compiled, zones, index });
    }
  }
  const bytes = versions.reduce((sum, version) => sum + bytesOf(version), tables.bytes);
  return { name, versions, missing: missingReferences(tariff, references), bytes };
}

const positionsOf = (list: readonly { readonly code: string }[]) =>
  new Map(list.map(({ code }, index) => [code, index]));

/** Bytes of memory that each part takes: a little more than measurements of the heap show, like the bytes of tables. */
const BYTES = { version: 2_000, zone: 700, band: 16, bandRules: 120, line: 1_500, condition: 400 } as const;

/** Without tables of places, which services have in common. */
function bytesOf({ service, zones, lines, events, weight }: CompiledVersion): number {
  const inZones = zones.reduce(
    (sum, { upTo, bands, pallets }) =>
      sum + BYTES.zone + upTo.length * (BYTES.band + (bands ? BYTES.bandRules : 0)) + pallets.length * BYTES.zone,
    0,
  );
  const inLines = [...lines, ...events].reduce((sum, { condition }) => sum + BYTES.line + bytesIn(condition), 0);
  const settings = weight.more ? [...weight.more.volumetric, ...weight.more.minimums, ...weight.more.roundUp] : [];
  const inWeight = settings.reduce((sum, { condition }) => sum + BYTES.condition + bytesIn(condition), 0);
  return BYTES.version + inZones + inLines + inWeight + bytesIn(service?.condition);
}

function bytesIn(condition: CompiledCondition | undefined): number {
  if (condition === undefined) return 0;
  const { allOf = [], anyOf = [], noneOf = [] } = condition.groups ?? {};
  return BYTES.condition * (1 + allOf.length + anyOf.length + noneOf.length);
}

let vatOfService: AreaTable | undefined;

/** Returns the table of the VAT rates that the service itself has, which is compiled once for all tariffs. */
function serviceVatTable(): AreaTable {
  vatOfService ??= areaTable(VAT_TABLE.map(({ to }) => to));
  return vatOfService;
}

/** The area of a zone that is for others. */
const NOWHERE: Zone['to'] = {};

/** A service and its position in the version. */
type PlacedService = Service & { readonly position: number };

function compileVersion(
  version: TariffVersion,
  nextFrom: string | undefined,
  names: Names,
  service: PlacedService | undefined,
): Omit<CompiledVersion, 'index' | 'zones'> {
  const { label, validFrom, originCountries } = version;
  const { lines, order, events } = compileLines(version, names);
  const vat: readonly VatRow[] = version.vat ?? VAT_TABLE;
  const forAnyOrigin = version.zones.map(zone => (zone.from || !isForService(zone, names.service) ? NOWHERE : zone.to));
  return {
    label,
    validFrom,
    validUntil: version.validUntil ?? (nextFrom === undefined ? '9999-12-31' : dayBefore(nextFrom)),
    service: service && compileServiceLevel(service, names),
    originCountries:
      originCountries && new Set(originCountries.flatMap(code => (code === 'EU' ? [...EU_COUNTRIES] : code))),
    origins: compileOrigins(version, names),
    weight: compileWeight(version.weight, names),
    limits: compileLimits(version.limits),
    palletClasses: version.palletClasses?.map(compilePalletClass),
    zoneTable: names.tables.of(forAnyOrigin),
    lines,
    order,
    optionPositions: new Map(
      lines.flatMap(({ component, code }, position) => (component === 'options' ? [[code, position] as const] : [])),
    ),
    cod: compileService(version, lines, 'cod'),
    insurance: compileService(version, lines, 'insurance'),
    events,
    vatTable: version.vat ? names.tables.of(vat.map(({ to }) => to)) : serviceVatTable(),
    vat: vat.map(({ percent, note = null }) => ({ ppm: ppmOf(percent), note })),
    hasLineVat: lines.some(line => line.vat !== undefined),
    account: version.account && compileAccount(version.account),
  };
}

/** Whether a zone is for a service, or for any; in a version without services, none is named. */
export function isForService({ services }: Pick<Zone, 'services'>, service: string | undefined): boolean {
  return services === undefined || (service !== undefined && services.includes(service));
}

function compileServiceLevel({ position, code, name, deliveryDays, when }: PlacedService, names: Names): ServiceLevel {
  const condition = when && compileCondition(when, names);
  return { index: position, code, name, deliveryDays: deliveryDays ?? null, condition };
}

/** The day before a calendar day. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

function compileOrigins({ origins, zones }: TariffVersion, { tables, service }: Names): CompiledOrigins | undefined {
  if (origins.length === 0) return undefined;
  const zoneTables = origins.map(({ code }) => {
    const isOwn = (zone: Zone) => zone.from?.includes(code) === true && isForService(zone, service);
    return zones.some(isOwn) ? tables.of(zones.map(zone => (isOwn(zone) ? zone.to : NOWHERE))) : undefined;
  });
  return {
    warehouses: new Map(origins.flatMap(({ warehouses = [] }, index) => warehouses.map(id => [id, index] as const))),
    table: tables.of(origins.map(({ places = NOWHERE }) => places)),
    zoneTables,
  };
}

function compileZone(zone: Zone, index: number): CompiledZone {
  const { code, name, services, deliveryDays, notServed } = zone;
  // Named one by one, since the engine reads fields of spread objects more slowly.
  const { upTo, prices, bands } = compileBands(zone.bands);
  return {
    index,
    code,
    name,
    deliveryDays: deliveryDays ?? null,
    notServed,
    services: services && new Set(services),
    upTo,
    prices,
    bands,
    beyond: compileSteps(zone.beyond),
    byParcel: compileByParcel(zone),
    pallets: compilePallets(zone.pallets),
  };
}
