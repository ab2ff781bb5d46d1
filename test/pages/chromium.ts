import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function openChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Faults of a page as they happen: it must not write to the console, throw errors, or ask another origin. */
export function watch(page: Page, url: string): string[] {
  const found: string[] = [];
  page.on('console', message => found.push(`console: ${message.text()}`));
  page.on('pageerror', error => found.push(`error: ${error.message}`));
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== url) found.push(`asks ${request.url()}`);
  });
  return found;
}

/** Serious or critical violations of the rules of axe, outside of some elements. */
export async function accessibilityFaults(page: Page, ...outsideOf: readonly string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async exclude => {
      const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
      return (await loaded.run({ include: ['html'], exclude })).violations;
    },
    [...outsideOf],
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.target.join(' ')} ${nodes[0]?.failureSummary}`);
}
