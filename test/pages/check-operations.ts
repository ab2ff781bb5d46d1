import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DASHBOARD_PAGES } from '../support/dashboard-pages.ts';
import { accessibilityFaults, watch } from './chromium.ts';

// The third part of `npm run check:pages`: looks at the page of operators and at every page of the job dashboard.

/** The password of the demo's operators. */
export const OPS_PASSWORD = 'password-of-the-operators';

const SCREENS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const COLOURS = ['light', 'dark'] as const;

interface Given {
  readonly url: string;
  readonly screenshots: string | undefined;
}

/** Looks at all of them, and fails at the first thing that is not as it was promised. */
export async function checkOperations(browser: Browser, { url, screenshots }: Given): Promise<void> {
  const credentials = { username: 'ops', password: OPS_PASSWORD };
  for (const viewport of SCREENS) {
    for (const colorScheme of COLOURS) {
      const context = await browser.newContext({ viewport, colorScheme, httpCredentials: credentials });
      const page = await context.newPage();
      const found = watch(page, url);
      await page.goto(`${url}/ops`, { waitUntil: 'networkidle' });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= viewport.width, `/ops is ${width} px wide at ${viewport.width} px`);
      found.push(...(await accessibilityFaults(page)));
      assert.deepEqual(found, []);
      if (screenshots !== undefined) {
        await page.screenshot({ path: join(screenshots, `ops-${viewport.width}-${colorScheme}.png`), fullPage: true });
      }
      await context.close();
    }
  }
  process.stdout.write('ok  The page of operators fits both screens in both colours, and asks nobody else\n');

  const context = await browser.newContext({ viewport: SCREENS[0] ?? null, httpCredentials: credentials });
  await refreshes(context, url);
  process.stdout.write('ok  The page of operators refreshes itself, and says so if the service is gone\n');
  const pages = await dashboardPages(context, `${url}/ops/jobs`);
  for (const path of pages) {
    const page = await context.newPage();
    const asked = outsideRequests(page, url);
    await page.goto(path, { waitUntil: 'networkidle' });
    assert.deepEqual(asked, [], `${path} asks others`);
    await page.close();
  }
  process.stdout.write(`ok  ${pages.length} pages of the job dashboard ask nobody else\n`);
  await context.close();
}

async function refreshes(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/ops`, { waitUntil: 'networkidle' });
  const time = () => page.locator('.ops-time').innerText();
  const before = await time();
  await page.waitForFunction(text => document.querySelector('.ops-time')?.textContent !== text, before);
  await context.setOffline(true);
  await page.getByText('The service does not respond.').waitFor();
  await context.setOffline(false);
  await page.waitForFunction(() => document.querySelector('.ops-state')?.textContent === '');
  await page.close();
}

/** The known pages, and pages of a schedule and of a job. */
async function dashboardPages(context: BrowserContext, dashboard: string): Promise<readonly string[]> {
  const page = await context.newPage();
  // A schedule makes the first job within a minute.
  const leadsTo = async (path: string, link: RegExp, endsAt = Date.now() + 90_000): Promise<string> => {
    await page.goto(dashboard + path, { waitUntil: 'networkidle' });
    const links = await page.locator('a').evaluateAll(all => all.map(one => (one as HTMLAnchorElement).href));
    const found = links.find(href => link.test(href));
    assert.ok(found !== undefined || Date.now() < endsAt, `${path} leads to nothing like ${link}`);
    return found ?? leadsTo(path, link, endsAt);
  };
  const followed = [
    await leadsTo('/schedules', /\/schedules\/.+\/.+/),
    await leadsTo('/queues/tracking.claim', /\/queues\/.+\/jobs\/.+/),
  ];
  await page.close();
  return [...DASHBOARD_PAGES.map(path => dashboard + path), ...followed];
}

/** Also those that the page is not let make. */
function outsideRequests(page: Page, url: string): string[] {
  const asked: string[] = [];
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== url) asked.push(request.url());
  });
  page.on('console', message => {
    if (/Content Security Policy/.test(message.text())) asked.push(message.text());
  });
  return asked;
}
