import { carriers } from './carrier-credentials.ts';
import { commands } from './commands.ts';
import { endpoints } from './endpoints.ts';
import { errorCodes } from './error-codes.ts';
import { eventFields, orderFields, shipmentFields } from './input-fields.ts';
import { pollingPace } from './polling-pace.ts';
import { settings } from './settings.ts';
import { vat } from './vat.ts';

/**
 * The parts of `README.md` and `src/docs/*.md` that the code knows as data. A section stands between `<!-- generated: NAME -->` and
 * `<!-- /generated -->`, and `npm run schema:write` writes it. To add one, write a function in a file of its own and name it here.
 */
const SECTIONS: Readonly<Record<string, () => string>> = {
  carriers,
  commands,
  endpoints,
  'error-codes': errorCodes,
  'event-fields': eventFields,
  'order-fields': orderFields,
  'polling-pace': pollingPace,
  settings,
  'shipment-fields': shipmentFields,
  vat,
};

const SECTION = /^<!-- generated: (.*?) -->\n[\s\S]*?^<!-- \/generated -->$/gm;
const MARKER = /^<!-- \/?generated\b.*$/gm;

/**
 * A Markdown text with its generated sections as they are now.
 *
 * @throws Error for a section that nothing generates, and for a marker without its counterpart
 */
export function withSections(text: string): string {
  let sections = 0;
  const written = text.replace(SECTION, (_all, name: string) => {
    sections += 1;
    const generate = SECTIONS[name];
    if (!generate) throw new Error(`No section is called "${name}". There are: ${Object.keys(SECTIONS).join(', ')}`);
    return `<!-- generated: ${name} -->\n${generate()}\n<!-- /generated -->`;
  });
  const markers = text.match(MARKER)?.length ?? 0;
  if (markers !== 2 * sections) {
    throw new Error('Each "<!-- generated: NAME -->" needs one "<!-- /generated -->" after it, on lines of their own');
  }
  return written;
}
