/** A quote as REST takes it, in the form of the graph; one that has this form already is returned as it is. */
export function quoteInput(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if ('shipment' in body) return body;
  const { orderId, warehouseId, destination, parcels, ...others } = body;
  const { totalWeight, totalVolume, parcelNumber, carrierCompanyIds, ...terms } = others;
  const given = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const places = { warehouseId, destination };
  const totals = given({ weight: totalWeight, volume: totalVolume, parcelCount: parcelNumber });
  const shipment = given({
    orderId,
    parcels: parcels === undefined ? undefined : given({ ...places, parcels }),
    totals: Object.keys(totals).length === 0 ? undefined : given({ ...places, ...totals }),
  });
  return { ...given({ carrierConnectionIds: carrierCompanyIds }), ...terms, shipment };
}
