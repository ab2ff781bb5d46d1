import { enableCompileCache } from 'node:module';
import { inject } from 'vitest';

// Before a file's own imports: most of a short file's time would go into compiling the same modules again.
enableCompileCache(inject('codeCache'));
