import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext } from 'playwright-core';
import { startDemo } from '../support/demo-process.ts';
import { operators } from '../support/operators.ts';
import { checkGraphiql } from './check-graphiql.ts';
import { checkImport } from './check-import.ts';
import { checkOperations, OPS_PASSWORD } from './check-operations.ts';
import { accessibilityFaults, openChromium, watch } from './chromium.ts';

// `npm run check:pages`: reads every page of the documentation of a demo in Chromium, on a large and a small screen, light
// and dark, switches the colours of the reference, uses GraphiQL, imports files on the page of imports, and looks at the
// pages of operators. It fails if a page writes to the console, asks another origin, is wider than the screen, or has a
// serious fault of accessibility.

const { values } = parseArgs({
  options: {
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    /** Only pages whose path contains this. */
    only: { type: 'string', default: '' },
    /** A folder for pictures of the pages. */
    screenshots: { type: 'string' },
    /** A service that is already running, instead of a demo. Its GraphiQL and pages of operators need a key and a password. */
    url: { type: 'string' },
  },
});

const SCREENS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const COLOURS = ['light', 'dark'] as const;
const REFERENCE = '/docs/reference';
const GRAPHIQL = '/graphql';
const OPERATIONS = '/ops';
const IMPORT = '/import';

interface Look {
  readonly path: string;
  readonly width: number;
  readonly colours: (typeof COLOURS)[number];
}

const failures: string[] = [];

const demo =
  values.url === undefined
    ? await startDemo(undefined, { OPS_USERS: operators({ ops: OPS_PASSWORD }) })
    : { url: values.url, apiKey: undefined, env: {}, stop: async () => {} };
let browser: Browser | undefined;
try {
  browser = await openChromium(values.chromium);
  const paths = (await pagePaths(demo.url)).filter(path => path.includes(values.only));
  for (const screen of SCREENS) {
    for (const colours of COLOURS) {
      const context = await browser.newContext({ viewport: screen, colorScheme: colours });
      for (const path of paths) await check(context, { path, width: screen.width, colours });
      await context.close();
    }
  }
  if (paths.includes(REFERENCE)) await checkSwitch(browser);
  const looks = paths.length * SCREENS.length * COLOURS.length;
  process.stdout.write(`${paths.length} pages, ${looks} looks, ${failures.length} failures\n`);
  if (demo.apiKey !== undefined && GRAPHIQL.includes(values.only)) {
    await checkGraphiql(browser, { url: demo.url, apiKey: demo.apiKey, screenshots: values.screenshots });
  }
  if (demo.apiKey !== undefined && IMPORT.includes(values.only)) {
    await checkImport(browser, { ...demo, screenshots: values.screenshots });
  }
  if (demo.apiKey !== undefined && OPERATIONS.includes(values.only)) {
    await checkOperations(browser, { url: demo.url, screenshots: values.screenshots });
  }
} finally {
  await browser?.close();
  await demo.stop();
}
process.exitCode = failures.length > 0 ? 1 : 0;

/** Every page that the navigation lists. */
async function pagePaths(url: string): Promise<string[]> {
  const html = await (await fetch(`${url}/docs`)).text();
  const linked = [...html.matchAll(/href="(\/(?:docs|problems)(?:\/[\w-]+)?)"/g)].map(([, path]) => path ?? '');
  return [...new Set(linked)].toSorted();
}

/** The button of the page changes the colours of the reference too, which is not of the page's own making. */
async function checkSwitch(browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: SCREENS[0] ?? null, colorScheme: 'light' });
  const page = await context.newPage();
  const found = watch(page, demo.url);
  await page.goto(demo.url + REFERENCE, { waitUntil: 'networkidle' });
  const heading = page.locator('#reference h2:visible').first();
  await heading.waitFor();
  const colour = () => heading.evaluate(element => getComputedStyle(element).color);
  const before = await colour();
  await page.locator('.theme-button').click();
  if ((await colour()) === before) found.push('keeps its colours when they are switched');
  found.push(...(await accessibilityFaults(page)));
  await context.close();
  report(`${REFERENCE}, switched to dark`, found);
}

async function check(context: BrowserContext, look: Look): Promise<void> {
  const page = await context.newPage();
  const found = watch(page, demo.url);
  await page.goto(demo.url + look.path, { waitUntil: 'networkidle' });
  if (look.path === REFERENCE) await page.locator('#reference h2:visible').first().waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > look.width) found.push(`is ${width} px wide`);
  found.push(...(await accessibilityFaults(page)));
  if (values.screenshots !== undefined) {
    const name = `${look.path.slice(1).replaceAll('/', '-')}-${look.width}-${look.colours}.png`;
    await page.screenshot({ path: join(values.screenshots, name) });
  }
  await page.close();
  report(`${look.path} at ${look.width} px, ${look.colours}`, found);
}

function report(where: string, found: readonly string[]): void {
  for (const failure of new Set(found)) {
    failures.push(`${where}: ${failure}`);
    process.stdout.write(`${where}: ${failure}\n`);
  }
}
