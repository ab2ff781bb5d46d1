import { expect, test } from 'vitest';
import { withSections } from '../../src/contracts/generated-sections/sections.ts';

test('A generated section is written between its markers, and the text around it stays', () => {
  const text = 'Before\n\n<!-- generated: warehouse-types -->\nold\n<!-- /generated -->\n\nAfter\n';
  const written = withSections(text);
  expect(written).toMatch(/^Before\n\n<!-- generated: warehouse-types -->\n\| `typeId` /);
  expect(written).toMatch(/\| `4` \| Secondario \|\n<!-- \/generated -->\n\nAfter\n$/);
  expect(withSections(written)).toBe(written);
});

test('A section that nothing generates is an error that lists the sections there are', () => {
  expect(() => withSections('<!-- generated: nope -->\n<!-- /generated -->\n')).toThrow(
    /"nope"\. There are: .*endpoints/,
  );
});

test.each([
  ['a section that is not closed', '<!-- generated: endpoints -->\n'],
  ['an end without a beginning', 'Text\n<!-- /generated -->\n'],
])('A guide with %s is an error', (_what, text) => {
  expect(() => withSections(text)).toThrow(/needs one/);
});
