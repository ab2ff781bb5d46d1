import fc from 'fast-check';
import { runs } from './property-runs.ts';

// Equal cases on every run: a case that fails, fails for everybody, and only because of a change. `PROPERTY_SEED=N`
// tries others.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: runs(100) });
