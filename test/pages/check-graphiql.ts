import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { EXAMPLES } from '../../src/graphql/graphiql.ts';
import { accessibilityFaults, watch } from './chromium.ts';

// The second part of `npm run check:pages`: uses GraphiQL of a demo in Chromium as a new user does.

/** Faults of the library: the colours of the editors, and tabs that contain their close button. */
const ITS_OWN = ['.monaco-editor', '.graphiql-tab'];
const KEY_NAME = 'shipping-integrations-api-key';
const OWN_DOCUMENT = 'query Mine($number: String!) { trackingByNumber(trackingNumber: $number) { parcelCount } }';
const OWN_VARIABLES = '{ "number": "M1610456789" }';

const WATCHED = 'M1610456789';
const WATCHING =
  'subscription { changes(filter: { statusCodes: [DELIVERED] }) { nodes { number shipment { trackingNumber } } } }';

/** A demo with its key, and where pictures go. */
interface Given {
  readonly url: string;
  readonly apiKey: string;
  readonly screenshots: string | undefined;
}

/** Carries out every step, and fails at the first thing that is not as it was promised. */
export async function checkGraphiql(browser: Browser, given: Given): Promise<void> {
  const steps: Record<string, (context: BrowserContext, given: Given) => Promise<void>> = {
    'The first sample runs as it is once a key is typed, and the key stays in the tab': firstSample,
    'Later visits add no tab, and a link has a tab of its own': visits,
    'The editors have the colours of the page, also after these have changed': colours,
    'Every sample opens at the first click and runs': everySample,
    'A reload keeps the document and the key, and a link has the document with its variables': reloadAndLink,
    'The key of the other pages is used, and one under Headers counts before it': sharedKey,
    'A subscription shows what is there and each change as it comes, until it is stopped': subscription,
    'A small screen shows the document and its response below each other': smallScreen,
  };
  for (const [name, step] of Object.entries(steps)) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await step(context, given);
    await context.close();
    process.stdout.write(`ok  ${name}\n`);
  }
}

async function firstSample(context: BrowserContext, demo: Given): Promise<void> {
  const { page, faults } = await open(context, demo);
  await page.waitForLoadState('networkidle');
  assert.equal((await shownResponse(page)).trim(), '', 'there is a response before anything was run');
  assert.equal(await page.locator('.key-menu[open]').count(), 0, 'the field for the key opens by itself');
  assert.match(await responseOf(page), /Type your API key/);
  await page.locator('.key-menu input').fill(demo.apiKey);
  await page.locator('[data-key-state="works"]').first().waitFor();
  assert.match(await run(page), /"trackingNumber": "084007001234567"/);
  await page.locator('[aria-label="Show Documentation Explorer"]').click();
  await page.getByText('Root Types').waitFor();
  assert.ok(!(await stored(page)).includes(demo.apiKey), 'the key is in localStorage');
  faults.push(...(await accessibilityFaults(page, ...ITS_OWN)));
  assert.deepEqual(faults, []);
  await picture(page, demo, 'first');
}

async function visits(context: BrowserContext, demo: Given): Promise<void> {
  const { page, faults } = await open(context, demo, demo.apiKey);
  const tabs = page.locator('.graphiql-tab-button');
  for (let visit = 0; visit < 3; visit++) {
    assert.equal(await tabs.count(), EXAMPLES.length);
    await page.goto(`${demo.url}/graphql`);
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  }
  assert.equal(await tabs.count(), EXAMPLES.length);
  assert.match(await run(page), /"data"/);

  const fresh = await context.browser()?.newContext();
  assert.ok(fresh);
  const search = `?query=${encodeURIComponent('query Linked { carriers { code } }')}`;
  const link = await open(fresh, demo, demo.apiKey, search);
  assert.equal(await link.page.locator('.graphiql-tab-button').count(), EXAMPLES.length + 1);
  assert.match(await link.page.locator('.graphiql-tab-active').innerText(), /Linked/);
  await fresh.close();
  assert.deepEqual([...faults, ...link.faults], []);
}

async function colours(context: BrowserContext, demo: Given): Promise<void> {
  const { page } = await open(context, demo, demo.apiKey);
  for (const colorScheme of ['dark', 'light', 'dark', 'light'] as const) {
    // Elsewhere: a change of colours reloads the page by itself.
    await page.goto(`${demo.url}/livez`);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${demo.url}/graphql`);
    for (const editor of ['.graphiql-query-editor', '.result-window']) {
      await page.locator(`${editor} .view-lines`).first().waitFor({ state: 'attached' });
      await page.waitForFunction(
        ([selector, isDark]) => {
          const lines = document.querySelector(`${selector} .view-lines`);
          const [red] = lines === null ? [] : (getComputedStyle(lines).color.match(/\d+/g) ?? []);
          return Number(red) > 128 === isDark;
        },
        [editor, colorScheme === 'dark'] as const,
        { timeout: 5_000 },
      );
    }
  }
}

async function everySample(context: BrowserContext, demo: Given): Promise<void> {
  const { page, faults } = await open(context, demo, demo.apiKey);
  const tabs = page.locator('.graphiql-tab-button');
  assert.equal(await tabs.count(), EXAMPLES.length);
  for (let i = EXAMPLES.length - 1; i >= 0; i--) {
    await tabs.nth(i).click();
    await page.locator(`.graphiql-tab-active [id$="tab-${i}"]`).waitFor();
    // Until it has read the document, it would run the operation of the tab before.
    await page.waitForURL(({ searchParams }) => searchParams.get('query') === EXAMPLES[i]);
    const response = await run(page);
    assert.match(response, /"data"/);
    assert.doesNotMatch(response, /"errors"/);
  }
  assert.deepEqual(faults, []);
}

async function reloadAndLink(context: BrowserContext, demo: Given): Promise<void> {
  const { page, faults } = await open(context, demo, demo.apiKey);
  await type(page, '.graphiql-query-editor', OWN_DOCUMENT);
  await type(page, '.graphiql-editor-tool', OWN_VARIABLES);
  await page.waitForURL(/variables=/);
  assert.match(await run(page), /"parcelCount": 2/);
  await page.reload();
  await showsVariables(page);
  assert.match(await run(page), /"parcelCount": 2/);

  const other = await open(context, demo, demo.apiKey, new URL(page.url()).search);
  await showsVariables(other.page);
  assert.match(await run(other.page), /"parcelCount": 2/);
  assert.deepEqual([...faults, ...other.faults], []);
}

/** Until the editor has them, a run would send none. */
async function showsVariables(page: Page): Promise<void> {
  await page.locator('.graphiql-editor-tool .view-line', { hasText: WATCHED }).first().waitFor();
}

async function sharedKey(context: BrowserContext, demo: Given): Promise<void> {
  const { page } = await open(context, demo, demo.apiKey);
  assert.match(await run(page), /"trackingNumber"/);
  await page.getByRole('button', { name: 'Headers' }).click();
  const mistyped = 'sk_live_mistyped';
  await type(page, '.graphiql-editor-tool .graphiql-editor:not(.hidden)', `{ "x-api-key": "${mistyped}" }`);
  assert.match(await run(page), /invalid_api_key/);
  // Tabs are stored a moment after they change.
  await page.getByRole('button', { name: 'New tab' }).click();
  await page.waitForFunction(
    count => JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{"tabs":[]}').tabs.length > count,
    EXAMPLES.length,
  );
  assert.ok(!(await stored(page)).includes(mistyped), 'a key under Headers is in localStorage');
}

async function subscription(context: BrowserContext, demo: Given): Promise<void> {
  const { page, faults } = await open(context, demo, demo.apiKey);
  await type(page, '.graphiql-query-editor', WATCHING);
  await page.waitForURL(/subscription/);
  const shows = (text: string) => page.locator('.result-window .view-line', { hasText: text }).first().waitFor();
  await page.locator('.graphiql-execute-button').click();
  await shows('"nodes"');
  await deliver(demo);
  await shows(`"${WATCHED}"`);
  await picture(page, demo, 'subscription');
  await page.getByRole('button', { name: 'Stop query' }).click();
  await page.getByRole('button', { name: 'Execute query' }).waitFor();
  assert.deepEqual(faults, []);
}

/** Has a parcel of the demo delivered. */
async function deliver({ url, apiKey }: Given): Promise<void> {
  const event = { trackingNumber: WATCHED, occurredAt: new Date().toISOString(), statusCode: 'DELIVERED' };
  const query =
    'mutation ($events: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $events }) { created } }';
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ query, variables: { events: [event] } }),
  });
  const { data } = (await response.json()) as { data?: object };
  assert.deepEqual(data, { recordTrackingEvents: { created: 1 } });
}

async function smallScreen(context: BrowserContext, demo: Given): Promise<void> {
  const { page, faults } = await open(context, demo, demo.apiKey);
  await page.setViewportSize({ width: 390, height: 844 });
  await run(page);
  const editor = await page.locator('.graphiql-editors').boundingBox();
  const response = await page.locator('.graphiql-response').boundingBox();
  assert.ok(editor && response && response.y >= editor.y + editor.height, 'they are not below each other');
  assert.ok(response.x + response.width <= 390 && response.y + response.height <= 844, 'the response is cut off');
  faults.push(...(await accessibilityFaults(page, ...ITS_OWN)));
  assert.deepEqual(faults, []);
  await picture(page, demo, 'small');
}

async function open(
  context: BrowserContext,
  demo: Given,
  key?: string,
  search = '',
): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  const faults = watch(page, demo.url);
  if (key !== undefined) {
    // As another page of the documentation leaves it in the tab.
    await page.goto(`${demo.url}/livez`);
    await page.evaluate(([name, value]) => sessionStorage.setItem(name, value), [KEY_NAME, key] as const);
  }
  await page.goto(`${demo.url}/graphql${search}`);
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  return { page, faults };
}

/** Runs the document that is shown, and returns the response as it is shown. */
async function run(page: Page): Promise<string> {
  const answered = page.waitForResponse(response => isOfDocument(response.request().postData()));
  await page.locator('.graphiql-execute-button').click();
  await answered;
  await page.locator('.graphiql-spinner').waitFor({ state: 'detached' });
  // The editor draws its lines a moment later.
  await page.locator('.result-window .view-line', { hasText: '{' }).first().waitFor();
  return shownResponse(page);
}

function isOfDocument(body: string | null): boolean {
  return body?.includes('"query"') === true && !body.includes('IntrospectionQuery');
}

/** Runs the query and reads the response, which the page answers itself with an error. */
async function responseOf(page: Page): Promise<string> {
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.result-window .view-line', { hasText: 'errors' }).waitFor();
  return shownResponse(page);
}

/** The content of the response's editor: lines are in the order in which they were drawn. */
async function shownResponse(page: Page): Promise<string> {
  const lines = await page.locator('.result-window .view-line').allInnerTexts();
  return lines.join('\n').replaceAll('\u00a0', ' ');
}

async function type(page: Page, editor: string, text: string): Promise<void> {
  await page.locator(`${editor} .view-lines`).first().click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

function stored(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify(localStorage));
}

async function picture(page: Page, { screenshots }: Given, name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `graphiql-${name}.png`) });
}
