import type { Contact, ContactField, Frame, Meta } from "../data/decode";
import { element, number } from "./dom";

/** The figures of all contacts at the present time, one row for each contact. */
export class Contacts {
  readonly root = element("details", { class: "card", id: "contacts" });
  private readonly body = element("tbody");
  private readonly fields: ContactField[];
  private shown: Frame | null = null;

  constructor(private readonly meta: Meta) {
    this.fields = meta.contact_fields.filter((field) => field.size === 1);
    const head = element("tr", {}, element("th", {}, "Bodies"));
    for (const { name, unit, about } of this.fields) {
      const label = name.replaceAll("_", " ");
      head.append(element("th", { title: about }, unit === "1" ? label : `${label} (${unit})`));
    }
    const table = element("table", {}, element("thead", {}, head), this.body);
    this.root.append(element("summary", {}, "Contacts"), element("div", { class: "scroll" }, table));
    this.root.addEventListener("toggle", () => this.show());
  }

  update(frame: Frame): void {
    this.shown = frame;
    this.show();
  }

  private show(): void {
    if (!this.root.hasAttribute("open") || !this.shown) return;
    this.body.replaceChildren(...this.shown.contacts().map((contact) => this.row(contact)));
  }

  private row(contact: Contact): HTMLElement {
    const name = (body: number) => this.meta.bodies[body]?.name ?? String(body);
    const row = element("tr", {}, element("th", {}, `${name(contact.a)}, ${name(contact.b)}`));
    for (const field of this.fields) row.append(element("td", {}, number(contact.figures[field.name][0])));
    return row;
  }
}
