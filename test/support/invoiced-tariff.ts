/** A CAP with a surcharge of its own. */
export const REMOTE = '38032';

/** Everything that an invoice can be wrong about, in one tariff. */
export const INVOICED_TARIFF = {
  format: 2,
  name: 'Listino',
  versions: [
    {
      label: '2026',
      validFrom: '2026-01-01',
      weight: { per: 'shipment', volumetric: [{ kgPerM3: 300 }], roundUp: [{ toKg: 0.5 }] },
      zones: [
        {
          code: 'italia',
          name: 'Italia',
          to: { countries: ['IT'] },
          bands: [
            { upToKg: 3, price: 5.4 },
            { upToKg: 5, price: 6.13 },
            { upToKg: 10, price: 7.86 },
            { upToKg: 20, price: 10.27 },
            { upToKg: 50, price: 18.91 },
          ],
          beyond: [{ everyKg: 50, price: 14.1 }],
        },
        {
          code: 'isole',
          name: 'Sicilia e Sardegna',
          to: { regions: ['Sicilia', 'Sardegna'] },
          bands: [
            { upToKg: 3, price: 6.62 },
            { upToKg: 5, price: 7.31 },
            { upToKg: 10, price: 8.98 },
            { upToKg: 20, price: 12.24 },
            { upToKg: 50, price: 23.47 },
          ],
          beyond: [{ everyKg: 50, price: 18.5 }],
        },
      ],
      surcharges: [
        { code: 'istat', description: 'Adeguamento ISTAT', price: { percent: 2.9, of: ['base'] } },
        {
          code: 'handling',
          description: 'Supplemento isole',
          when: { zones: ['isole'] },
          price: { fixed: 1.2, perKg: 0.05 },
        },
        {
          code: 'remote',
          description: 'Disagiata',
          when: { to: { postalCodes: [REMOTE] } },
          price: { fixed: 4.5 },
        },
      ],
      fuel: [
        {
          code: 'fuel',
          description: 'Carburante',
          price: {
            of: ['base', 'surcharges'],
            rates: [
              { from: '2026-01-01', percent: 6.2 },
              { from: '2026-09-01', percent: 9.7 },
              { from: '2026-10-01', percent: 12.4 },
              { from: '2026-11-01', percent: 15.9 },
            ],
          },
        },
      ],
      options: [{ code: 'appointment', description: 'Appuntamento', price: { fixed: 3.5 } }],
      cod: [
        { code: 'cod', description: 'Contrassegno', price: { fixed: 2, percent: 1.2, of: ['codAmount'], minimum: 4 } },
      ],
      insurance: [
        {
          code: 'insurance',
          description: 'Assicurazione',
          price: { percent: 0.9, of: ['insuredValue'], minimum: 3.5 },
        },
      ],
      afterShipment: [
        {
          code: 'giacenza',
          on: 'storage',
          description: 'Giacenza',
          price: { fixed: 6, per: [{ measure: 'storageDays', every: 1, price: 1.7, above: 2 }] },
        },
        { code: 'reso', on: 'return', description: 'Reso', price: { percent: 100, of: ['base'] } },
        { code: 'riconsegna', on: 'redelivery', description: 'Riconsegna', price: { fixed: 5.1 } },
      ],
    },
  ],
};
