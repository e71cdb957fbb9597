import type { Contact, ContactField, Frame, Meta } from "../data/decode";
import { element, number } from "./dom";

/** The contacts at the present time, one row for each: a click goes there. */
export class Contacts {
  readonly root = element("details", { class: "card", id: "contacts", open: "" });
  private readonly body = element("tbody");
  private readonly fields: ContactField[];
  private shown: Frame | null = null;
  private rows: { go: HTMLButtonElement; cells: HTMLElement[] }[] = [];
  private contacts: Contact[] = [];

  /** `visit` is called with the contact that is clicked. */
  constructor(
    private readonly meta: Meta,
    private readonly visit: (contact: Contact) => void,
  ) {
    this.fields = meta.contact_fields.filter((field) => field.size === 1);
    const head = element("tr", {}, element("th", {}, "Go to"));
    for (const { name, unit, about } of this.fields) {
      const label = name.replaceAll("_", " ");
      head.append(element("th", { title: about }, unit === "1" ? label : `${label} (${unit})`));
    }
    const table = element("table", {}, element("thead", {}, head), this.body);
    const scroll = element("div", { class: "scroll", tabindex: "0", "aria-label": "Contacts" }, table);
    this.root.append(element("summary", {}, "Contacts"), scroll);
    this.root.addEventListener("toggle", () => this.show());
  }

  update(frame: Frame): void {
    this.shown = frame;
    this.show();
  }

  private show(): void {
    if (!this.root.hasAttribute("open") || !this.shown) return;
    this.contacts = this.shown.contacts();
    // Rows are kept, so that they can be clicked while time goes on.
    while (this.rows.length < this.contacts.length) this.addRow();
    this.rows.forEach(({ go, cells }, i) => {
      const contact = this.contacts[i];
      const row = go.closest("tr");
      if (row) row.hidden = !contact;
      if (!contact) return;
      set(go, `${this.name(contact.a)}, ${this.name(contact.b)}`);
      this.fields.forEach((field, k) => set(cells[k], number(contact.figures[field.name][0])));
    });
  }

  private addRow(): void {
    const at = this.rows.length;
    const go = element("button", { type: "button", class: "go", title: "Go to this contact" });
    go.addEventListener("click", () => this.visit(this.contacts[at]));
    const cells = this.fields.map(() => element("td"));
    this.rows.push({ go, cells });
    this.body.append(element("tr", {}, element("th", {}, go), ...cells));
  }

  private name(body: number): string {
    return this.meta.bodies[body]?.name ?? String(body);
  }
}

function set(cell: HTMLElement, text: string): void {
  if (cell.textContent !== text) cell.textContent = text;
}
