import { carrierByCode } from './carriers.catalog.ts';

/** A neutral badge with a carrier's name, as SVG; undefined for an unknown code. Logos belong to their owners. */
export function carrierBadge(code: string): string | undefined {
  const carrier = carrierByCode(code);
  if (!carrier) return undefined;
  const { background, foreground } = carrier.colour;
  const width = 24 + carrier.name.length * 11;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="40" role="img" aria-label="${carrier.name}">
<rect width="${width}" height="40" rx="6" fill="${background}"/>
<text x="50%" y="26" fill="${foreground}" font-family="system-ui,sans-serif" font-size="18" font-weight="600" text-anchor="middle">${carrier.name}</text>
</svg>
`;
}
