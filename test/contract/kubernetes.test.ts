import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfig, VARIABLES } from '../../src/config.ts';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { SECRETS } from '../../src/service-settings.ts';
import { environmentOf, ROOT, readDockerfile, textsOf } from '../support/dockerfile.ts';

// No cluster is here to try the manifests on. These are the rules of Kubernetes and of the service that can be stated.

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly securityContext: object;
  readonly resources: { readonly requests: Record<string, string>; readonly limits: { readonly memory: string } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}
interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string };
  readonly projected?: { readonly sources: readonly { readonly secret: SomeOfSecret }[] };
}
interface SomeOfSecret {
  readonly name: string;
  readonly items: readonly { readonly path: string }[];
}
interface Pod {
  readonly metadata: { readonly labels: Record<string, string> };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly volumes: readonly Volume[];
    readonly securityContext: object;
    readonly automountServiceAccountToken: boolean;
    readonly restartPolicy?: string;
    readonly terminationGracePeriodSeconds?: number;
  };
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
  readonly data?: Record<string, unknown>;
  readonly spec?: {
    readonly replicas?: number;
    readonly strategy?: object;
    readonly minAvailable?: number;
    readonly selector?: Record<string, unknown>;
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly template?: Pod;
  };
}

const FOLDER = join(ROOT, 'schema/ops/kubernetes');
const manifests: Manifest[] = readdirSync(FOLDER).flatMap(file =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map(document => {
    expect([file, document.errors, document.warnings]).toEqual([file, [], []]);
    return document.toJS() as Manifest;
  }),
);
const named = (kind: string, name: string) =>
  manifests.find(one => one.kind === kind && one.metadata.name === `shipping-${name}`);
const pods = manifests.flatMap(({ metadata, spec }) =>
  spec?.template ? [[metadata.name, spec.template] as const] : [],
);
const settings = (named('ConfigMap', 'settings')?.data ?? {}) as Record<string, string>;
const image = readDockerfile().at(-1);

test('There are two api and two workers, each with a budget for disruptions, a migration run, and settings', () => {
  const kinds = manifests.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`);
  expect(kinds.toSorted()).toEqual([
    'apps/v1 Deployment shipping-api',
    'apps/v1 Deployment shipping-worker',
    'batch/v1 Job shipping-migrate',
    'policy/v1 PodDisruptionBudget shipping-api',
    'policy/v1 PodDisruptionBudget shipping-worker',
    'v1 ConfigMap shipping-settings',
    'v1 Service shipping-api',
  ]);
  for (const { metadata } of manifests) {
    expect(metadata.name).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
    expect(metadata.labels['app.kubernetes.io/name']).toBe('shipping');
  }
});

describe.each(['api', 'worker'])('The deployment %s', role => {
  const deployment = named('Deployment', role);
  const pod = deployment?.spec?.template;
  const [container] = pod?.spec.containers ?? [];

  test('runs twice, is replaced one by one, and keeps one process when a node is drained', () => {
    expect(deployment?.spec?.replicas).toBe(2);
    expect(deployment?.spec?.strategy).toEqual({ rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    expect(named('PodDisruptionBudget', role)?.spec?.minAvailable).toBe(1);
  });

  test('is matched by its selectors and by the selectors of its budget', () => {
    const labels = { 'app.kubernetes.io/name': 'shipping', 'app.kubernetes.io/component': role };
    expect(pod?.metadata.labels).toEqual(labels);
    for (const kind of ['Deployment', 'PodDisruptionBudget']) {
      expect(named(kind, role)?.spec?.selector).toEqual({ matchLabels: labels });
    }
  });

  test('has the role of its name, and probes on the ports that it listens on', () => {
    expect(container?.env).toEqual([{ name: 'ROLE', value: role }]);
    const { PORT } = environmentOf(image);
    expect(container?.ports).toEqual([
      { name: 'http', containerPort: Number(PORT) },
      { name: 'metrics', containerPort: Number(settings.METRICS_PORT) },
    ]);
    const { startupProbe, readinessProbe, livenessProbe } = container ?? {};
    for (const probe of [startupProbe, readinessProbe])
      expect(probe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'http' });
    // A start that waits for the database of another node must not be ended in between.
    expect((startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0)).toBeGreaterThanOrEqual(60);
  });

  test('has the time to stop: the pause before SIGTERM, and the ten seconds of the service', () => {
    const [program, seconds] = container?.lifecycle?.preStop.exec.command ?? [];
    expect(program).toBe('sleep');
    expect(pod?.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + 10);
  });
});

test('The service of Kubernetes leads to the api', () => {
  const labels = named('Deployment', 'api')?.spec?.template?.metadata.labels;
  expect(named('Service', 'api')?.spec?.selector).toEqual(labels);
  expect(named('Service', 'api')?.spec?.ports?.map(({ targetPort }) => targetPort)).toEqual(['http']);
});

test('The migration run owns the tables and grants the service its rights, and is not restarted indefinitely', () => {
  const [container] = named('Job', 'migrate')?.spec?.template?.spec.containers ?? [];
  expect(container?.args).toEqual(['src/cli.ts', 'migrate', '--grant', 'shipping_app']);
  expect(
    named('Job', 'migrate')?.spec?.template?.spec.volumes.find(({ name }) => name === 'secrets')?.projected,
  ).toBeDefined();
  expect(existsSync(join(ROOT, 'src/cli.ts'))).toBe(true);
  expect(named('Job', 'migrate')?.spec).toMatchObject({
    backoffLimit: 3,
    template: { spec: { restartPolicy: 'Never' } },
  });
});

describe.each(pods)('The pod of %s', (_, { spec }) => {
  const [container] = spec.containers;

  test('runs as the user of the image, with no further rights, and writes to /tmp only', () => {
    const [user = ''] = textsOf(image, 'USER');
    const [runAsUser, runAsGroup] = user.split(':').map(Number);
    expect(spec.securityContext).toEqual({
      ...{ runAsNonRoot: true, runAsUser, runAsGroup, fsGroup: runAsGroup },
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
    });
    expect(container.volumeMounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath)).toEqual([
      '/tmp',
    ]);
    expect(environmentOf(image).DATA_DIR).toBe('/tmp');
  });

  test('has limits that leave room for the heap, and an image of a version', () => {
    expect(container.resources.limits.memory).toBe('2Gi');
    expect(Object.keys(container.resources.requests)).toEqual(['cpu', 'memory']);
    const tag = /^shipping-integrations-api:(\d+\.\d+\.\d+)$/.exec(container.image)?.[1];
    const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    const released = Array.from(changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm), ([, version]) => version);
    expect([...released, packageJson.version.replace(/-.*/, '')]).toContain(tag);
    expect(new Set(pods.map(([, pod]) => pod.spec.containers[0].image)).size).toBe(1);
  });

  test('mounts the secret where the settings look for it', () => {
    const mounted = container.volumeMounts.find(({ name }) => name === 'secrets');
    const volume = spec.volumes.find(({ name }) => name === 'secrets');
    const sources = volume?.projected?.sources.map(({ secret }) => [
      secret.name,
      ...secret.items.map(({ path }) => path),
    ]);
    if (sources === undefined) expect(volume?.secret?.secretName).toBe('shipping-secrets');
    else {
      expect(sources).toEqual([
        ['shipping-owner', 'database-url'],
        ['shipping-secrets', 'secrets-key'],
      ]);
    }
    for (const { name } of container.volumeMounts) expect(spec.volumes.map(volume => volume.name)).toContain(name);
    const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([name]) => name)).toEqual(['DATABASE_URL_FILE', 'SECRETS_KEY_FILE']);
    for (const [, path] of files) expect(path).toMatch(new RegExp(`^${mounted?.mountPath}/[a-z-]+$`));
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'shipping-settings' } }]);
  });
});

test('The settings are texts that the service knows, none is a secret, and the service starts with them', () => {
  for (const [name, value] of Object.entries(settings)) {
    expect([name, typeof value]).toEqual([name, 'string']);
    expect(VARIABLES).toContain(name);
    expect(SECRETS).not.toContain(name);
  }
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const mounted = Object.entries(settings).map(([name, value]) => [
    name,
    value.replace('/run/secrets/shipping', folder),
  ]);
  writeFileSync(join(folder, 'database-url'), 'postgres://127.0.0.1/shipping\n');
  writeFileSync(join(folder, 'secrets-key'), newSecretsKey());
  const env = { ...environmentOf(image), ...Object.fromEntries(mounted), ROLE: 'api' };
  expect(readConfig(env)).toMatchObject({ isProduction: true, role: 'api', host: '0.0.0.0', migrateOnStart: false });
});
