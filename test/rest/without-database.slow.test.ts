import { useOutages } from './outages.ts';

useOutages().survives('takes connections and never answers');
