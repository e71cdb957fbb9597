type Theme = "light" | "dark";

const listeners: (() => void)[] = [];
const system = matchMedia("(prefers-color-scheme: dark)");

/** Storage may be forbidden, as in some files opened from disk. */
function stored(): Theme | null {
  try {
    const theme = localStorage.getItem("volar-theme");
    return theme === "light" || theme === "dark" ? theme : null;
  } catch {
    return null;
  }
}

export function theme(): Theme {
  const set = document.documentElement.dataset.theme;
  if (set === "light" || set === "dark") return set;
  return system.matches ? "dark" : "light";
}

function apply(chosen: Theme | null): void {
  document.documentElement.dataset.theme = chosen ?? (system.matches ? "dark" : "light");
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  apply(stored());
  system.addEventListener("change", () => apply(stored()));
}

export function switchTheme(): void {
  const chosen = theme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("volar-theme", chosen);
  } catch {
    // It then holds until the page is closed.
  }
  apply(chosen);
}

/** Switches to light, and gives back what undoes it. */
export function lightFor(): () => void {
  const before = theme();
  if (before === "light") return () => {};
  apply("light");
  return () => apply(before);
}

export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

/** A colour of the style sheet. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
