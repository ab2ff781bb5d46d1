import { expect, test, vi } from 'vitest';
import { GUIDE_GROUPS } from '../../src/http/docs/navigation.ts';
import { useWorld } from '../support/world.ts';
import { useDemos } from './guide-demo.ts';

const openDemo = useDemos();
const world = useWorld({ ROLE: 'api' });

const homeOf = async (url: string) => (await fetch(`${url}/docs`, { headers: { accept: 'text/html' } })).text();

/** The prices in the table of the quote, by carrier. */
const pricesIn = (html: string) =>
  [...html.matchAll(/<th scope="row">([^<]+)<\/th>.*?<strong>([\d.]+)<\/strong>/g)].map(([, name, price]) => [
    name,
    Number(price),
  ]);

test('The home page names the limits of the service, and ways around them', async () => {
  const html = await homeOf(world.app.url);
  expect(html).toMatch(/does not<\/strong> print labels, book, pick up or cancel/);
  expect(html).toContain('<a href="/docs/shipments">send the tracking number here</a>');
});

test('Each door of the home page shows its first pages with their subjects, and names the others', async () => {
  const html = await homeOf(world.app.url);
  const doors = html.split('<section class="door">').slice(1);
  expect(doors).toHaveLength(GUIDE_GROUPS.length);
  for (const [i, { title, guides, more }] of GUIDE_GROUPS.entries()) {
    const door = doors[i] ?? '';
    expect(door).toContain(`<h2>${title}</h2>`);
    for (const name of guides)
      expect(door).toMatch(new RegExp(`<li><a href="/docs/${name}">[^<]+</a><span>.{20,}</span>`));
    const [, later = ''] = door.split('<p class="later">');
    for (const name of more) expect(later).toContain(`href="/docs/${name}"`);
  }
});

test('The home page of a demo shows what its carriers charge now', async () => {
  const demo = await openDemo();
  const body = JSON.stringify({
    warehouseId: 1,
    destination: { postalCode: '90139', city: 'Palermo', province: 'PA' },
    parcels: [{ weight: 4, length: 40, width: 30, height: 30 }],
    codAmount: 100,
    insuranceAmount: 200,
  });
  const headers = { 'x-api-key': demo.apiKey, 'content-type': 'application/json' };
  const response = await fetch(`${demo.url}/api/v1/integrations/shipments/quote`, { method: 'POST', headers, body });
  const quotes = (await response.json()) as { carrierName: string; totalPriceWithVat: number }[];
  expect(quotes, JSON.stringify(quotes)).toBeInstanceOf(Array);
  // The page waits a second at most for the prices.
  const html = await vi.waitFor(async () => {
    const shown = await homeOf(demo.url);
    expect(shown).toContain('on this service now');
    return shown;
  }, 20_000);
  expect(pricesIn(html)).toEqual(quotes.map(quote => [quote.carrierName, quote.totalPriceWithVat]));
  await demo.close();
});

test('Without a demo the home page shows the recorded quote of the contract', async () => {
  const html = await homeOf(world.app.url);
  expect(html).toContain('recorded prices');
  expect(pricesIn(html).length).toBeGreaterThan(2);
});
