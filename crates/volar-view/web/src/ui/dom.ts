/** Makes an element. Text is always set as text, never as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A button that shows whether it is on. */
export function toggle(label: string, title: string, on: boolean, act: (on: boolean) => void) {
  const button = element("button", { type: "button", class: "toggle", title }, label);
  const set = (value: boolean) => {
    on = value;
    button.setAttribute("aria-pressed", String(value));
  };
  set(on);
  button.addEventListener("click", () => {
    set(!on);
    act(on);
  });
  return { button, set };
}

/** A number with about four digits, as people write it. */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text =
    size >= 1e6 || size < 1e-4
      ? value.toExponential(Math.min(digits - 1, 2)).replace(/\.?0+e/, "e")
      : String(Number(value.toPrecision(digits)));
  return text.replace("e+", "e").replace(/-/g, "−");
}
