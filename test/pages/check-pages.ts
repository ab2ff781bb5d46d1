import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext } from 'playwright-core';
import { startDemo } from '../support/demo-process.ts';
import { accessibilityFaults, openChromium, watch } from './chromium.ts';

// `npm run check:pages`: reads every page of the documentation of a demo in Chromium, on a large and a small screen, light
// and dark. It fails if a page writes to the console, asks another origin, is wider than the screen, or has a serious fault
// of accessibility.

const { values } = parseArgs({
  options: {
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    /** Only pages whose path contains this. */
    only: { type: 'string', default: '' },
    /** A folder for pictures of the pages. */
    screenshots: { type: 'string' },
    /** A service that runs already, instead of a demo. */
    url: { type: 'string' },
  },
});

const SCREENS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const COLOURS = ['light', 'dark'] as const;

interface Look {
  readonly path: string;
  readonly width: number;
  readonly colours: (typeof COLOURS)[number];
}

const failures: string[] = [];

const demo = values.url === undefined ? await startDemo() : { url: values.url, stop: async () => {} };
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
  const looks = paths.length * SCREENS.length * COLOURS.length;
  process.stdout.write(`${paths.length} pages, ${looks} looks, ${failures.length} failures\n`);
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

async function check(context: BrowserContext, look: Look): Promise<void> {
  const page = await context.newPage();
  const found = watch(page, demo.url);
  await page.goto(demo.url + look.path, { waitUntil: 'networkidle' });
  if (look.path === '/docs/reference') await page.locator('#reference h2:visible').first().waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > look.width) found.push(`is ${width} px wide`);
  found.push(...(await accessibilityFaults(page)));
  if (values.screenshots !== undefined) {
    const name = `${look.path.slice(1).replaceAll('/', '-')}-${look.width}-${look.colours}.png`;
    await page.screenshot({ path: join(values.screenshots, name) });
  }
  await page.close();
  for (const failure of new Set(found)) {
    const line = `${look.path} at ${look.width} px, ${look.colours}: ${failure}`;
    failures.push(line);
    process.stdout.write(`${line}\n`);
  }
}
