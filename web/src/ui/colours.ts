// Colours of drawings, read from the style sheet so that light and dark both fit.
export interface Colours {
  back: string;
  text: string;
  quiet: string;
  grid: string;
  wall: string;
  solid: string;
  accent: string;
  good: string;
  bad: string;
  light: string;
  series: string[];
}

let known: { isDark: boolean; colours: Colours } | null = null;

export function colours(): Colours {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  if (known?.isDark === isDark) return known.colours;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const series = Array.from({ length: 8 }, (_, i) => read(`series-${i}`));
  const names = ["back", "text", "quiet", "grid", "wall", "solid", "accent", "good", "bad", "light"] as const;
  const colours = Object.fromEntries(names.map((n) => [n, read(n)])) as unknown as Colours;
  known = { isDark, colours: { ...colours, series } };
  return known.colours;
}
