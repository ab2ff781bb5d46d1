import { describe, expect, test } from 'vitest';
import { INSTANT } from '../support/instants.ts';
import { REACHABLE } from '../support/receiver.ts';
import { startProcess } from '../support/second-process.ts';
import { useWorld } from '../support/world.ts';
import { expectSentence, useProcesses } from './processes.ts';
import { useListener } from './webhook-listener.ts';

const world = useWorld(REACHABLE);
const processes = useProcesses();
const given = useListener(world, processes);
const { listen, endpoint, testEvent, delivery } = given;

describe.concurrent('`webhook listen`', () => {
  test('prints a value for each delivery with `--json`, with the body', async () => {
    const listener = listen(['--json', '--events', 'tracking.delivered, tracking.delay', '--label', 'Prova']);
    const [line] = await listener.said(/^\{.+\}$/m);
    const { endpointId, url, test: command } = JSON.parse(line);
    expect(command).toMatch(/^curl /);
    expect(await endpoint(endpointId)).toMatchObject({
      url,
      label: 'Prova',
      events: ['tracking.delay', 'tracking.delivered'],
    });
    const deliveryId = await testEvent(endpointId);
    await listener.said(/"verified":true.+\n/);
    expect((await fetch(url, { method: 'POST', body: 'no JSON' })).status).toBe(400);

    listener.kill('SIGINT');
    const { code, stdout } = await listener.ended();
    expect(code).toBe(0);
    const [, genuine, forged] = stdout.split('\n').map(text => JSON.parse(text || 'null'));
    const { body, eventId } = await delivery(deliveryId);
    expect(genuine).toEqual({
      at: expect.stringMatching(INSTANT),
      verified: true,
      id: eventId,
      type: 'tracking.delivered',
      sequence: 0,
      trackingNumber: '084000000000000',
      status: 'Consegnata',
      body: JSON.parse(body),
    });
    expect(forged).toMatchObject({ verified: false, id: null, type: null, body: 'no JSON' });
    expect(await endpoint(endpointId)).toMatchObject({ isActive: false });
  });

  test('deletes its endpoint when its terminal is closed', async () => {
    const listener = listen();
    const [, id = ''] = await listener.said(/^Webhook endpoint (\S+), /m);
    listener.kill('SIGHUP');
    expect(await listener.ended()).toMatchObject({ code: 0, stderr: '' });
    expect(await endpoint(id)).toMatchObject({ isActive: false });
  });

  test('prints that the endpoint stays if the service is gone', async () => {
    const app = await startProcess(world, { ROLE: 'api', ...REACHABLE });
    const listener = listen([], { url: app.url });
    const [, id = ''] = await listener.said(/^Webhook endpoint (\S+), /m);
    await app.stop();
    listener.kill('SIGINT');
    const { code, stderr } = await listener.ended();
    expect(code).toBe(1);
    expectSentence(stderr);
    expect(stderr).toContain(`${app.url} can't be reached`);
    expect(stderr).toContain(id);
    expect((await given.caller.rest('DELETE', `/webhooks/${id}`)).status).toBe(200);
  });
});
