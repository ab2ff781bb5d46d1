import type { Sandbox } from '../sandbox/stand-ins.ts';

/**
 * Starts the demo company's carriers, unless the settings name other stand-ins. The module is loaded only in that case.
 */
export async function startDemoSandbox(settings: {
  readonly demo: boolean;
  readonly carrierSandboxUrl: string | undefined;
}): Promise<Sandbox | undefined> {
  if (!settings.demo || settings.carrierSandboxUrl !== undefined) return undefined;
  const { startSandbox } = await import('../sandbox/stand-ins.ts');
  return startSandbox();
}
