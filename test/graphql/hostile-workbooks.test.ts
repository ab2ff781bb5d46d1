import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/graphql-client.ts';
import { HOSTILE_WORKBOOKS } from '../support/hostile-workbooks.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const TABLE = 'query ($file: TableFileInput!) { orderTable(input: { file: $file }) { name } }';

describe('The work for a workbook with', () => {
  test.each(Object.entries(HOSTILE_WORKBOOKS))('%s is bounded', async (_name, { file, says }) => {
    const { graphql } = await world.company();
    const base64 = Buffer.from(file()).toString('base64');
    const startedAt = performance.now();
    const answer = await graphql(TABLE, { file: { base64 } });
    // Half a second alone, and more beside other tests. Without the bounds they take longer, or all memory.
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    if (says === undefined) expect(answer.errors).toBeUndefined();
    else expect(failureOf(answer)).toMatchObject({ code: 'validation_failed' });
    if (says !== undefined) expect(JSON.stringify(answer)).toContain(says);
  });
});
