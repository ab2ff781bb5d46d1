import { EU_COUNTRIES } from '../../places/places.rules.ts';
import { compileAccount } from '../account/account-fees.rules.ts';
import type { AreaTable } from '../areas/area.rules.ts';
import { areaTable } from '../areas/area-table.rules.ts';
import { compileByParcel } from '../bands/parcel-bands.rules.ts';
import { compileSteps } from '../bands/steps-beyond.rules.ts';
import { compileBands } from '../bands/weight-bands.rules.ts';
import { type CompiledCondition, compileCondition } from '../conditions/condition-compile.rules.ts';
import type { Names } from '../conditions/condition-kind.rules.ts';
import type { CompiledTests } from '../conditions/condition-kinds.rules.ts';
import type { Service, Tariff, TariffVersion, Zone } from '../format/tariff.format.rules.ts';
import { compileLimits } from '../limits.rules.ts';
import { compilePalletClass } from '../pallets/pallet-classes.rules.ts';
import { compilePallets } from '../pallets/pallet-prices.rules.ts';
import { NO_REFERENCES, type References } from '../references/references.rules.ts';
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
  for (const [index, version] of all.entries()) {
    const nextFrom = all[index + 1]?.validFrom;
    const zones = version.zones.map(compileZone);
    for (const [position, service] of (version.services ?? [undefined]).entries()) {
      const compiled = compileVersion(version, nextFrom, references, service && { ...service, position });
      versions.push({ ...compiled, zones, index });
    }
  }
  return { name, versions, bytes: versions.reduce((sum, version) => sum + bytesOf(version), 0) };
}

/** Bytes of memory that each part takes: a little more than measurements of the heap show, like the bytes of tables. */
const BYTES = { version: 2_000, zone: 700, band: 16, bandRules: 120, line: 1_500, condition: 400 } as const;

function bytesOf({ service, zoneTable, origins, vatTable, zones, lines, events, weight }: CompiledVersion): number {
  const inZones = zones.reduce(
    (sum, { upTo, bands, pallets }) =>
      sum + BYTES.zone + upTo.length * (BYTES.band + (bands ? BYTES.bandRules : 0)) + pallets.length * BYTES.zone,
    0,
  );
  const inLines = [...lines, ...events].reduce((sum, { condition }) => sum + BYTES.line + bytesIn(condition), 0);
  const inOrigins = (origins?.zoneTables ?? []).reduce(
    (sum, table) => sum + (table?.bytes ?? 0),
    origins?.table.bytes ?? 0,
  );
  const settings = weight.more ? [...weight.more.volumetric, ...weight.more.minimums, ...weight.more.roundUp] : [];
  const inWeight = settings.reduce((sum, { condition }) => sum + BYTES.condition + bytesIn(condition), 0);
  const inService = bytesIn(service?.condition);
  return BYTES.version + zoneTable.bytes + vatTable.bytes + inZones + inLines + inOrigins + inWeight + inService;
}

function bytesIn(condition: CompiledCondition | undefined): number {
  if (condition === undefined) return 0;
  const { tests, groups } = condition;
  const inGroups = groups ? [...groups.allOf, ...groups.anyOf, ...groups.noneOf] : [];
  const inTests = ({ placesCondition }: CompiledTests) => BYTES.condition + (placesCondition?.bytes ?? 0);
  return [tests, ...inGroups].reduce((sum, one) => sum + inTests(one), 0);
}

let vatOfService: AreaTable | undefined;

/** Returns the table of the VAT rates that the service itself has, which is compiled once for all tariffs. */
function serviceVatTable(): AreaTable {
  vatOfService ??= areaTable(VAT_TABLE.map(({ to }) => to));
  return vatOfService;
}

/** A service and its position in the version. */
type PlacedService = Service & { readonly position: number };

function compileVersion(
  version: TariffVersion,
  nextFrom: string | undefined,
  references: References,
  service: PlacedService | undefined,
): Omit<CompiledVersion, 'index' | 'zones'> {
  const { label, validFrom, originCountries } = version;
  const names: Names = {
    zones: new Map(version.zones.map(({ code }, index) => [code, index])),
    origins: new Map(version.origins.map(({ code }, index) => [code, index])),
    service: service?.code,
    references,
  };
  const { lines, order, events } = compileLines(version, names);
  const vat: readonly VatRow[] = version.vat ?? VAT_TABLE;
  const forAnyOrigin = version.zones.map(zone => (zone.from || !isForService(zone, service?.code) ? {} : zone.to));
  return {
    label,
    validFrom,
    validUntil: version.validUntil ?? (nextFrom === undefined ? '9999-12-31' : dayBefore(nextFrom)),
    service: service && compileServiceLevel(service, names),
    originCountries:
      originCountries && new Set(originCountries.flatMap(code => (code === 'EU' ? [...EU_COUNTRIES] : code))),
    origins: compileOrigins(version, references, service?.code),
    weight: compileWeight(version.weight, names),
    limits: compileLimits(version.limits),
    palletClasses: version.palletClasses?.map(compilePalletClass),
    zoneTable: areaTable(forAnyOrigin, references.lists),
    lines,
    order,
    optionPositions: new Map(
      lines.flatMap(({ component, code }, position) => (component === 'options' ? [[code, position] as const] : [])),
    ),
    cod: compileService(version, lines, 'cod'),
    insurance: compileService(version, lines, 'insurance'),
    events,
    vatTable: version.vat
      ? areaTable(
          vat.map(({ to }) => to),
          references.lists,
        )
      : serviceVatTable(),
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

function compileOrigins(
  { origins, zones }: TariffVersion,
  { lists }: References,
  service: string | undefined,
): CompiledOrigins | undefined {
  if (origins.length === 0) return undefined;
  const zoneTables: (AreaTable | undefined)[] = [];
  for (const { code } of origins) {
    const isOwn = (zone: Zone) => zone.from?.includes(code) === true && isForService(zone, service);
    const own = zones.map(zone => (isOwn(zone) ? zone.to : {}));
    zoneTables.push(zones.some(isOwn) ? areaTable(own, lists) : undefined);
  }
  const warehouses = origins.flatMap(({ warehouses: ids = [] }, index) => ids.map(id => [id, index] as const));
  return {
    warehouses: new Map(warehouses),
    table: areaTable(
      origins.map(({ places = {} }) => places),
      lists,
    ),
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
