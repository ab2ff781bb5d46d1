import fc from 'fast-check';
import { runs } from './property-runs.ts';

// The same cases on every run: one that fails fails for everybody, and only for what changed. `PROPERTY_SEED=N` tries others.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: runs(100) });
