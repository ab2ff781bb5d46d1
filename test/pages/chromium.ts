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

/** What a page should not do, as it does it: write to the console, throw errors, or ask another origin. */
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

/** What is serious or critical by the rules of axe, without some of them. */
export async function accessibilityFaults(page: Page, ...except: readonly string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
    return (await loaded.run()).violations;
  });
  return violations
    .filter(({ id, impact }) => (impact === 'serious' || impact === 'critical') && !except.includes(id))
    .map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.target.join(' ')} ${nodes[0]?.failureSummary}`);
}
